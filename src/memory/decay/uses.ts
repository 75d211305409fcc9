/** The number of uses, and the time of the last. */
export interface Use {
  readonly count: number;
  readonly lastMs: number;
}

/** The counts of one device, by memory. They only ever grow. */
export type DeviceUses = ReadonlyMap<string, Use>;

/** Every device counts for itself, so that the same use is never added twice. */
export type UsesByDevice = ReadonlyMap<string, DeviceUses>;

/**
 * Two accounts of the same devices become one: of each device and memory the greater count and the later time. In
 * whatever order and however often accounts are merged, the result is the same.
 */
export function mergeUses(left: UsesByDevice, right: UsesByDevice): UsesByDevice {
  const merged = new Map<string, Map<string, Use>>();
  for (const account of [left, right]) {
    for (const [device, uses] of account) {
      const own = merged.get(device) ?? new Map<string, Use>();
      for (const [id, use] of uses) own.set(id, greaterOf(own.get(id), use));
      merged.set(device, own);
    }
  }
  return merged;
}

/** Over all devices: counts add up, and the latest time counts. */
export function totalUses(byDevice: UsesByDevice): Map<string, Use> {
  const total = new Map<string, Use>();
  for (const uses of byDevice.values()) {
    for (const [id, use] of uses) total.set(id, addUse(total.get(id), use));
  }
  return total;
}

export function addUse(known: Use | undefined, { count, lastMs }: Use): Use {
  return { count: (known?.count ?? 0) + count, lastMs: Math.max(known?.lastMs ?? 0, lastMs) };
}

function greaterOf(known: Use | undefined, { count, lastMs }: Use): Use {
  return { count: Math.max(known?.count ?? 0, count), lastMs: Math.max(known?.lastMs ?? 0, lastMs) };
}
