import path from 'node:path';
import {
  daemonArguments,
  SERVICE_MARK,
  type ServiceDefinition,
  type ServicePlaces,
  type ServiceSpec,
} from './service.ts';

/** A launch agent of the user's own. */
export function launchdService(spec: ServiceSpec, { userHome, userId = 501 }: ServicePlaces): ServiceDefinition {
  const label = `org.mneme.${spec.name}`;
  const file = path.posix.join(userHome, 'Library', 'LaunchAgents', `${label}.plist`);
  const domain = `gui/${userId}`;
  const launchctl = (...args: string[]) => ({ program: 'launchctl', args });
  const unload = {
    ...launchctl('bootout', `${domain}/${label}`),
    why: 'stop it, and start it no more',
    affectsDaemon: true,
    mayFail: true,
  };
  return {
    system: 'launchd',
    title: 'a launch agent',
    file: { path: file, content: propertyList(spec, label), encoding: 'utf8' },
    install: [],
    start: [
      { ...unload, why: 'stop an earlier one' },
      {
        ...launchctl('bootstrap', domain, file),
        why: 'start it now and at every login',
        affectsDaemon: true,
        mayFail: false,
      },
    ],
    uninstall: [unload],
    isActive: launchctl('print', `${domain}/${label}`),
    validate: { program: 'plutil', args: ['-lint', '-s', file] },
    notes: ['Without --no-start it runs at once; otherwise from the next login on.'],
  };
}

function propertyList(spec: ServiceSpec, label: string): string {
  const words = daemonArguments(spec).map((word) => `    <string>${escapeXml(word)}</string>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${SERVICE_MARK}; change nothing here, it is written again by the next one. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escapeXml(label)}</string>
  <key>ProgramArguments</key>
  <array>
${words.join('')}  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>40</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>StandardErrorPath</key>
  <string>${escapeXml(path.posix.join(spec.logs, 'service.err'))}</string>
</dict>
</plist>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (char) => ESCAPES[char] ?? char);
}
