#pragma once

// Loads libsystemd, with which every use begins: 0, or -ELIBACC where it cannot be.
int system_bus_load(void);
