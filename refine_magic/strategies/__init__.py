"""How a proposal is made; judging, best-so-far and stopping are the loop's alone."""
