"""The experiments of the five papers, each by its own protocol, and which of their claims held."""
