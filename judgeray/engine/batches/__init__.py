"""The batch desk: the same calls by the providers' batch APIs, each batch written down before it is sent."""
