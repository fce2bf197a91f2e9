// Placeholder until the launcher.
