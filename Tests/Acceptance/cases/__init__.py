"""The acceptance cases; importing a module registers its cases."""
