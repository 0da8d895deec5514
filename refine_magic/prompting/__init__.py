"""Messages to the model, and completion text to code."""
