import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, systemCode } from '../../model/errors.ts';
import { replaceFile } from '../../platform/fs.ts';
import { run } from '../../platform/process.ts';
import { launchdService } from './launchd.ts';
import {
  SERVICE_MARK,
  type ServiceCommand,
  type ServiceDefinition,
  type ServiceFile,
  type ServicePlaces,
  type ServiceSpec,
  type ServiceSystem,
} from './service.ts';
import { systemdService } from './systemd.ts';
import { windowsService } from './windows.ts';

const DEFINITIONS: Readonly<Record<ServiceSystem, (spec: ServiceSpec, places: ServicePlaces) => ServiceDefinition>> = {
  systemd: systemdService,
  launchd: launchdService,
  windows: windowsService,
};

export function defineService(system: ServiceSystem, spec: ServiceSpec, places: ServicePlaces): ServiceDefinition {
  const unusable = [spec.home, ...spec.command].find((text) => /\p{Cc}/u.test(text));
  if (unusable !== undefined) {
    throw new MnemeError(
      'refused',
      `A service cannot be set up for a path with a line break or another control character: ${JSON.stringify(unusable)}.`,
      { hint: 'Move the home or the program to a path without it.' },
    );
  }
  return DEFINITIONS[system](spec, places);
}

/** Returns the service manager of an operating system. */
export function systemOf(platform: NodeJS.Platform): ServiceSystem {
  if (platform === 'darwin') return 'launchd';
  if (platform === 'win32') return 'windows';
  if (platform === 'linux') return 'systemd';
  throw new MnemeError('refused', `Mneme cannot set up a service on ${platform}.`, {
    hint: 'Let your own init system run `mneme daemon` in the foreground.',
  });
}

/** The usual home has the plain name; others are told apart by where they are. */
export function serviceName(home: string, usualHome: string): string {
  return home === usualHome ? 'mneme' : `mneme-${hash('sha256', home).slice(0, 8)}`;
}

export interface ServicePlan {
  readonly action: 'install' | 'uninstall';
  readonly definition: ServiceDefinition;
  readonly change: 'create' | 'update' | 'remove' | 'none';
  readonly commands: readonly ServiceCommand[];
}

export function planInstall(definition: ServiceDefinition, isStarted: boolean): ServicePlan {
  const present = readServiceFile(definition);
  refuseForeign(definition, present);
  const change = present === undefined ? 'create' : present === definition.file.content ? 'none' : 'update';
  const commands = [...definition.install, ...(isStarted ? definition.start : [])];
  return { action: 'install', definition, change, commands };
}

export function planUninstall(definition: ServiceDefinition): ServicePlan {
  const present = readServiceFile(definition);
  refuseForeign(definition, present);
  if (present === undefined) return { action: 'uninstall', definition, change: 'none', commands: [] };
  return { action: 'uninstall', definition, change: 'remove', commands: definition.uninstall };
}

export function readServiceFile({ file }: ServiceDefinition): string | undefined {
  if (!fs.existsSync(file.path)) return undefined;
  return fs.readFileSync(file.path, file.encoding).replace(/^\uFEFF/u, '');
}

function refuseForeign({ file }: ServiceDefinition, present: string | undefined): void {
  if (present === undefined || present.includes(SERVICE_MARK)) return;
  throw new MnemeError('refused', `${file.path} was not written by Mneme.`, {
    hint: 'Move it away if it is not needed.',
  });
}

/** Starts a program; tests bring their own. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<ProgramResult>;

interface ProgramResult {
  /** undefined when there is no such program here. */
  readonly code: number | undefined;
  readonly said: string;
}

export const runProgram: RunProgram = async (program, args) => {
  try {
    const { code, stdout, stderr } = await run(program, args, { timeoutMs: 60_000 });
    return { code, said: `${stderr}\n${stdout.toString('utf8')}`.trim() };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { code: undefined, said: `${program} is not installed` };
    throw error;
  }
};

export interface AppliedService {
  readonly file: string;
  readonly change: ServicePlan['change'];
  readonly commands: readonly { readonly command: string; readonly code: number | null; readonly said: string }[];
  /** Objections of the system's own checker; empty when it has none or is not installed. */
  readonly objections: readonly string[];
  /** The first command that failed; null when all of them worked. */
  readonly failed: string | null;
}

/** Carries a plan out: the file first, checked before anything reads it; removed last. */
export async function applyServicePlan(plan: ServicePlan, start: RunProgram = runProgram): Promise<AppliedService> {
  const { definition, change } = plan;
  if (change === 'create' || change === 'update') writeServiceFile(definition.file);
  const objections = plan.action === 'install' ? await validateService(definition, start) : [];
  const commands: { command: string; code: number | null; said: string }[] = [];
  let failed: string | null = null;
  for (const command of plan.commands) {
    const { code, said } = await start(command.program, command.args);
    commands.push({ command: commandText(command), code: code ?? null, said });
    if (code === 0 || command.mayFail) continue;
    failed = `${commandText(command)}: ${said === '' ? `exit ${code ?? 'unknown'}` : said}`;
    break;
  }
  if (change === 'remove') fs.rmSync(definition.file.path, { force: true });
  return { file: definition.file.path, change, commands, objections, failed };
}

async function validateService({ validate }: ServiceDefinition, start: RunProgram): Promise<string[]> {
  if (validate === undefined) return [];
  const { code, said } = await start(validate.program, validate.args);
  return code === undefined || code === 0 ? [] : [`${validate.program}: ${said}`];
}

export function commandText({ program, args }: Pick<ServiceCommand, 'program' | 'args'>): string {
  return [program, ...args].map((word) => (/[\s"]/u.test(word) ? JSON.stringify(word) : word)).join(' ');
}

function writeServiceFile({ path: file, content, encoding }: ServiceFile): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    // The task scheduler takes only UTF-16, and knows it by its first two bytes.
    const text = encoding === 'utf16le' ? `\uFEFF${content}` : content;
    replaceFile(file, Buffer.from(text, encoding), { mode: 0o644, flush: true });
  } catch (error) {
    throw new MnemeError('failure', `${file} cannot be written (${systemCode(error) ?? 'unknown error'}).`, {
      hint: 'Check the permissions of its folder.',
      cause: error,
    });
  }
}
