import fs from 'node:fs';
import os from 'node:os';

/**
 * Names this run of the operating system. What was written but not synced is certain to be readable only within one
 * boot; state recorded under another name must be verified against the files.
 */
export function bootId(): string {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Elsewhere the boot time, coarse enough that the clock's drift does not change it within a boot.
    const bootedMs = Date.now() - os.uptime() * 1000;
    return `boot-${Math.round(bootedMs / 60_000)}`;
  }
}
