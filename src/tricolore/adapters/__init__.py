"""Adapters: Tricolore's metrics in the shapes of other libraries, each an extra that nothing else imports."""
