"""What the acceptance cases stand on: a runner, homes, servers, a wire recorder, a search for leaked secrets."""
