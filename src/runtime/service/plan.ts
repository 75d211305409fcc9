import { hash } from 'node:crypto';
import fs from 'node:fs';
import { MnemeError } from '../../model/errors.ts';
import { launchdService } from './launchd.ts';
import {
  SERVICE_MARK,
  type ServiceCommand,
  type ServiceDefinition,
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

/** Which of them an operating system has. */
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
