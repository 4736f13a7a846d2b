"""What pages show, as plain values and Qt table models; nothing here decides a rule of the study."""
