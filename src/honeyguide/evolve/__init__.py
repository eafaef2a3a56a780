"""Genetic search in simulation: for the weights of a rank function, and for the settings of any strategy."""
