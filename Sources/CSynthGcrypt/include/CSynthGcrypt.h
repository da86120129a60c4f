// libgcrypt's digests as Swift sees them; on Debian 12 libsystemd has it in the process already.
#pragma once
#include <gcrypt.h>

// Once for the process, before anything else of libgcrypt; a no-op where another library has done it.
void gcrypt_begin(void);
