import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { isScope } from '../../model/provenance.ts';

/** `plugins.entries.mneme.config` of openclaw.json; the manifest describes the same for OpenClaw. */
export const pluginSettings = z.object({
  home: z
    .string()
    .min(1)
    // OpenClaw passes on what the user wrote; no shell has seen it.
    .transform((home) => path.resolve(home.replace(/^~(?=$|[\\/])/u, os.homedir())))
    .optional(),
  recall: z.boolean().default(true),
  capture: z.boolean().default(true),
  maxTokens: z.number().int().min(100).max(20_000).default(1500),
  timeoutMs: z.number().int().min(100).max(60_000).default(2000),
  scope: z.string().refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME').optional(),
});

export type PluginSettings = z.output<typeof pluginSettings>;

const hostSettings = z.object({
  plugins: z.object({ slots: z.object({ contextEngine: z.string().optional() }).optional() }).optional(),
});

/** Whether OpenClaw was told to assemble prompts with this plugin: then the hooks leave that to it. */
export function isContextEngine(config: unknown, id: string): boolean {
  return hostSettings.safeParse(config).data?.plugins?.slots?.contextEngine === id;
}
