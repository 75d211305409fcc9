import { CURRENT_FORMAT } from '../../model/config/schema.ts';
import { setConfigValue } from './change.ts';

export interface NewConfig {
  /** The IANA time zone in which the home's days begin. */
  readonly timeZone: string;
  /** An adopted folder; by default the workspace is made inside the home. */
  readonly workspacePath?: string | undefined;
  readonly gitDir?: string | undefined;
  readonly layout?: string | undefined;
  /** Edits past Mneme are taken over without a question. */
  readonly isEditedDaily?: boolean | undefined;
}

const TEMPLATE = `# Mneme's configuration. Only what differs from the defaults needs to be here: \`mneme config list\` shows every
# setting, \`mneme config set KEY VALUE\` changes one. API keys never belong in this file; they come from the environment.
format: ${CURRENT_FORMAT}

# Fixed: the dates of existing files depend on it.
time_zone: UTC

# Worth a look:
#
# reasoner:
#   provider: anthropic        # with ANTHROPIC_API_KEY set; without a model everything still works
# embedding:
#   provider: ollama           # the built-in one knows English best
# git:
#   remote: git@example.org:me/memory.git
`;

/** The configuration that `init` writes. */
export function newConfigText({ timeZone, workspacePath, gitDir, layout, isEditedDaily = false }: NewConfig): string {
  let text = setConfigValue(TEMPLATE, 'time_zone', timeZone, { force: true });
  const settings = { 'workspace.path': workspacePath, 'workspace.git_dir': gitDir, 'workspace.layout': layout };
  for (const [key, value] of Object.entries(settings)) {
    // As JSON, so that a path such as C:\notes or one with a colon is read back as the text it is.
    if (value !== undefined) text = setConfigValue(text, key, JSON.stringify(value));
  }
  return isEditedDaily ? setConfigValue(text, 'alerts.external_edits', 'false') : text;
}
