import { normalPath } from './layout.ts';

interface Obeyed {
  readonly why: string;
  /** Names of folders and files as they are written in lower case, at any depth; `*` stands for the rest of a name. */
  readonly names: string;
}

/**
 * Files that other programs obey without asking whoever opens the folder. The workspace may be such a folder: an adopted
 * one is a vault or a project in which people work. One list, checked in the write path.
 */
const OBEYED: readonly Obeyed[] = [
  {
    why: 'coding agents take it for instructions',
    names: `claude.md claude.local.md agents.md agents.override.md gemini.md copilot-instructions.md .cursorrules
      .windsurfrules .clinerules .roorules .goosehints .rules llms-install.md`,
  },
  {
    why: 'coding agents read their settings, hooks and servers from it',
    names: `.claude .cursor .windsurf .codex .gemini .continue .roo .roomodes .kilocode .kiro .junie .amazonq .augment
      .opencode .openclaw .agents .agent .factory .mcp.json mcp.json mcp_config.json opencode.json opencode.jsonc .aider*`,
  },
  {
    why: 'editors run tasks, programs and extensions that it names',
    names: `.vscode .idea .zed .fleet .nova .devcontainer .devcontainer.json .obsidian .logseq *.code-workspace
      *.sublime-project .vimrc .exrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .dir-locals-2.el`,
  },
  {
    why: 'a shell or a program that starts in the folder runs it',
    names: `.envrc .env .env.* .direnv .bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile
      .zlogin .inputrc .gdbinit .lldbinit .pdbrc .irbrc .pryrc .rprofile .sqliterc .psqlrc .ssh .config .local .pam_environment
      .tool-versions .mise.toml mise.toml .mise.local.toml mise.local.toml .asdfrc autorun.inf desktop.ini *.desktop *.lnk
      *.url *.scf *.command`,
  },
  {
    why: 'git obeys it, or takes the folder for a repository of its own',
    names: `.gitattributes .gitmodules .gitconfig .gitignore .git-blame-ignore-revs .mailmap .lfsconfig head .husky .githooks lefthook.yml lefthook.yaml
      .lefthook.yml .lefthook.yaml .pre-commit-config.yaml .pre-commit-config.yml .overcommit.yml`,
  },
  {
    why: 'a build server runs what it says',
    names: `.github .gitlab .gitlab-ci.yml .circleci .travis.yml .drone.yml .woodpecker .woodpecker.yml .woodpecker.yaml
      .buildkite .forgejo .gitea .semaphore .cirrus.yml .appveyor.yml appveyor.yml azure-pipelines.yml
      azure-pipelines.yaml bitbucket-pipelines.yml jenkinsfile cloudbuild.yaml buildspec.yml netlify.toml vercel.json`,
  },
  {
    why: 'package managers, build tools and test runners run what it says',
    names: `package.json package-lock.json npm-shrinkwrap.json .npmrc .yarnrc .yarnrc.yml .yarn .pnp.cjs .pnp.js
      .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml deno.json deno.jsonc node_modules makefile gnumakefile *.mk justfile
      .justfile taskfile.yml taskfile.yaml rakefile gemfile *.gemspec .bundle composer.json pyproject.toml setup.py
      setup.cfg tox.ini noxfile.py pytest.ini conftest.py sitecustomize.py usercustomize.py *.pth pip.conf .cargo cargo.toml
      build.rs cmakelists.txt cmakepresets.json build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradlew
      gradle.properties pom.xml .mvn mvnw *.csproj *.fsproj directory.build.props directory.build.targets nuget.config
      global.json .swiftpm package.swift mix.exs build.sbt flake.nix shell.nix default.nix build.bazel workspace.bazel
      .bazelrc dune-project`,
  },
  {
    why: 'containers and virtual machines are made from it',
    names: `dockerfile dockerfile.* containerfile docker-compose.yml docker-compose.yaml docker-compose.*.yml
      compose.yml compose.yaml compose.override.yml compose.override.yaml vagrantfile .dockerignore`,
  },
];

interface Rule {
  readonly why: string;
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly RegExp[];
}

const RULES: readonly Rule[] = OBEYED.map(({ why, names }) => {
  const all = names.trim().split(/\s+/u);
  return {
    why,
    names: new Set(all.filter((name) => !name.includes('*'))),
    patterns: all.filter((name) => name.includes('*')).map(patternOf),
  };
});

function patternOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/gu, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 'su');
}

/** Says why a program would obey a file, as a sentence without its subject; undefined when none is known to. */
export function findObedience(path: string): string | undefined {
  // As file systems that ignore case would open it.
  const segments = normalPath(path).toLowerCase().split('/');
  return RULES.find(({ names, patterns }) =>
    segments.some((segment) => names.has(segment) || patterns.some((pattern) => pattern.test(segment))),
  )?.why;
}
