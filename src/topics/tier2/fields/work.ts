/** Words of working life, field by field; a word may stand in several. */
export const WORK_FIELDS: Readonly<Record<string, string>> = {
  coding:
    'code coding function class variable method argument parameter bug fix refactor compile compiler type typescript javascript python java rust golang kotlin swift ruby php loop array string null undefined exception stack trace library module import script snippet syntax lint linter formatter pointer regex cli algorithm recursion async await callback promise closure generic interface enum struct docstring comment indentation getter setter constructor parse parser serialize boolean integer float hash',
  git: 'git branch commit merge rebase diff patch repository repo clone push pull stash cherry-pick tag fork conflict squash bisect blame revert hunk staged unstage gitignore github gitlab bitbucket monorepo submodule upstream head main trunk',
  review:
    'review reviewer pull request pr mr merge comment remark diff patch branch nit nitpick approve approval lgtm changes feedback blocking suggestion thread author reword object objection tone readable style maintainers contributor',
  testing:
    'test tests testing suite flaky flake unstable intermittent fixture assertion assert mock stub unit integration e2e coverage ci green red rerun retry retries timeout quarantine fails passes locally runner snapshot deterministic race sleep seed spec jest vitest pytest junit playwright cypress selenium regression repeat randomly sometimes',
  building:
    'build builds pipeline ci runner artifact cache compile bundle bundler webpack vite docker dockerfile image registry job workflow actions jenkins makefile gradle maven bazel step stage cached agent',
  deploying:
    'deploy deployment deploys production prod live release ship shipping rollout roll rollback revert canary cluster kubernetes kubectl helm pod container version hotfix traffic freeze server node downtime promote undo customers users everybody switch toggle flag blue-green window',
  incidents:
    'incident outage down alert alerts alarm pager paged page pagerduty on-call oncall sev1 sev2 error errors latency timeout crash crashed crashing failing failure 500 502 503 5xx affected status dashboard grafana mitigate restart failover escalate war-room monitoring spike burning fire broken unreachable overloaded queue stuck degraded acknowledge scribe responder',
  postmortems:
    'postmortem post-mortem retrospective root cause causes blameless timeline contributing factors impact whys incident lessons learned learn learnt write-up aftermath detected detection prevent noticed sooner actions follow-up human error blame',
  infrastructure:
    'terraform infrastructure module state plan apply provider resource vpc subnet dns bucket aws gcp azure iam cloud terragrunt tfstate ansible pulumi drift region instance load-balancer balancer network firewall hcl provision lock secret vault ec2 s3 lambda autoscaling cdn certificate ssl tls',
  environments:
    'staging preview environment environments sandbox seed seeded tear branch demo reset namespace tester testers try click link login isolated throwaway ephemeral spin branch half-finished',
  databases:
    'database databases db postgres postgresql mysql sqlite mongodb redis sql table tables column columns row rows index schema migration migrations migrate backfill query lock transaction foreign key constraint default rename alter drop vacuum replica snapshot orm prisma uuid nullable batch downtime join varchar trigger',
  dependencies:
    'dependency dependencies package packages upgrade upgrading update outdated bump major minor patch npm yarn pnpm pip poetry cargo lockfile renovate dependabot semver audit breaking changelog pin pinned peer conflict library framework version versions migrate node react fastify express angular django next vue',
  releases:
    'release releases notes changelog version announcement announce highlights feature features bump tag deprecated deprecation breaking administrators admins users shipped improved fixed entries changes what’s new public post credit contributors',
  security:
    'security vulnerability vulnerable vulnerabilities exploit cve disclosure disclose advisory embargo bounty researcher attacker hacker hack hacked xss injection csrf ssrf auth bypass leak leaked token encryption phishing severity cvss report reporter pentest breach hole extort extortion ransom bitcoin reproduce credential penetration spoof malware ransomware',
  accounts:
    'login log-in signin password passwords username account sso oauth 2fa mfa otp permission permissions role roles access session token reset lock locked verify authentication authorization admin',
  accessibility:
    'accessibility accessible a11y screen reader keyboard focus aria label labels contrast wcag blind deaf alt mouse tab caption captions motion zoom announce announced sight voiceover nvda jaws axe disability disabled impaired hears read aloud dialog trap tabindex operable',
  frontend:
    'button page css html component react layout form field modal dialog menu dropdown font responsive browser click scroll pixel dark theme icon frontend ui viewport grid flexbox tailwind tooltip sidebar animation hover header footer mockup prototype wireframe figma',
  design:
    'design designer figma sketch logo palette typography font spacing mockup prototype wireframe illustration icon layout poster brand branding colour color visual style guide grid draw vector photoshop',
  apis: 'api endpoint rest graphql grpc json webhook http request response payload status header rate limit client sdk openapi swagger post get put route router gateway microservice service version pagination websocket timeout',
  performance:
    'performance slow fast latency throughput cache caching memory leak cpu profile profiler bottleneck benchmark optimise optimize scale scaling connections pool load concurrency index lazy render speed heap garbage',
  logging:
    'log logs logging metric metrics trace tracing dashboard monitor monitoring observability grafana prometheus sentry datadog kibana alert threshold span',
  analysis:
    'data dataset pandas csv spreadsheet excel chart plot graph statistics average median notebook dashboard metric analytics regression pivot report number figures survey sample correlation sql query cohort funnel kpi forecast',
  machinelearning:
    'model models training train neural network machine learning ai llm gpt prompt prompts embedding embeddings dataset classifier inference fine-tune finetune gpu weights overfitting accuracy hallucination chatbot agent token rag evaluation',
  mobileapps:
    'app ios android xcode simulator testflight play store apple push notification notifications widget swift kotlin flutter phone tablet crash review build signing provisioning',
  hardware:
    'printer laptop computer pc mac windows linux phone monitor keyboard mouse cable battery usb router wifi screen charger camera speaker headset headphones disk ssd gpu ram paper toner scanner driver firmware bluetooth hdmi install installing reboot device',
  localisation:
    'translate translation localisation localization locale i18n l10n string strings language languages plural translator glossary wording',
  documentation:
    'documentation docs readme manual guide tutorial wiki reference explain example page docstring how-to onboarding markdown diagram architecture adr decision record rfc proposal',
  planning:
    'roadmap sprint backlog ticket tickets jira story stories epic estimate estimation milestone scope deadline priority prioritise kanban scrum standup retro planning velocity task tasks project gantt dependency goal okr quarter stakeholder kickoff',
  meetings:
    'meeting meetings calendar appointment schedule reschedule agenda invite invitation slot slots reminder minutes attend attendee call zoom teams availability available hour clash double-booked book room calendar move moved',
  oneonones:
    'one-on-one 1:1 report reports feedback performance promotion growth manager lead conflict delegate coaching motivation burnout praise career review raise workload',
  hiring:
    'candidate candidates interview interviews interviewer hiring hire applicant applicants application résumé resume cv recruiter recruit recruiting job offer salary band scorecard position role vacancy take-home reference rejection refuse refusal reject probation junior senior developer designer engineer shortlist debrief headhunter',
  onboarding:
    'onboarding newcomer new joiner starter first day buddy mentor induction accounts laptop welcome checklist probation offboarding leaver',
  absence:
    'vacation leave holiday days off sick sickness sick-note absence absent parental sabbatical overtime timesheet hours shift shifts rota roster cover substitute payroll payslip',
  email:
    'email emails mail mails inbox newsletter newsletters unsubscribe spam junk reply replies respond answer forward sender subject unread archive draft attachment gmail outlook thread folder out-of-office cc bcc signature mailbox correspondence',
  chatting:
    'slack channel dm discord teams message messages chat thread ping emoji mention whatsapp signal telegram text sms group',
  writing:
    'write writing draft text paragraph sentence sentences wording phrase tone style edit proofread blog article post headline essay summary plain jargon filler copy announcement letter chapter rewrite shorten adjective verb buzzword cliché word words reader publish',
  presenting:
    'presentation slides slide deck talk keynote speech speaker audience conference stage rehearse powerpoint demo pitch cfp panel workshop webinar abstract title',
  sales:
    'customer client account contract renewal renew deal prospect lead leads pipeline demo pricing discount quote negotiation negotiate upsell churn crm seat seats revenue partner vendor proposal rfp quota close closing salesforce hubspot',
  support:
    'customer customers complaint complain complains complained support ticket tickets refund angry furious upset disappointed escalate escalation apology apologise sorry goodwill cancel subscription unhappy star threaten threatens service helpdesk response waiting rude ignored compensation annoyed unacceptable lawyer press',
  marketing:
    'marketing campaign brand audience launch announcement newsletter social media instagram linkedin tiktok twitter tweet post posts seo advert ads advertising landing conversion slogan press influencer hashtag follower followers content reach engagement copy',
  procurement:
    'supplier suppliers vendor purchase order procurement stock inventory warehouse shipment freight pallet customs delivery quote tender logistics backorder reorder sku',
  manufacturing:
    'factory machine production line assembly weld welding lathe cnc tolerance defect batch quality inspection sensor plc maintenance spare part shift',
  legal:
    'contract contracts clause law lawyer legal court sue lawsuit liability licence license terms agreement gdpr privacy notary signature sign dispute breach compliance nda trademark copyright patent attorney solicitor consent cookie dpa processor',
  invoicing:
    'invoice invoices billing bill bills client clients overdue reminder dunning payment due freelance freelancer hourly rate quote net gross vat customer iban terms unpaid chase outstanding pay paid charge hours rounding reverse',
  expenses:
    'expense expenses reimburse reimbursement reimbursed per diem mileage receipt receipts employer business trip claim policy private card hotel taxi meal allowance kilometre cost centre hand back money approver finance paid',
  tax: 'tax taxes vat deduction deductible deduct income return office advisor accountant prepayment receipt receipts declaration filing assessment refund allowance fiscal quarter quarterly depreciation write-off notice objection object owe finanzamt steuer irs hmrc bracket audit',
  bookkeeping:
    'bookkeeping accounting accountant ledger balance journal entry entries reconcile reconciliation invoice receipt bank statement payable receivable cash flow profit loss quarter year-end datev quickbooks xero',
  company:
    'company startup founder founders investor investors funding round valuation shares equity board shareholder incorporation gmbh ltd llc cap table pitch runway venture due diligence term sheet',
  research:
    'paper papers study studies journal citation cite literature hypothesis experiment abstract peer conference thesis dissertation supervisor grant reviewer submission manuscript academic university lab methodology bibliography zotero',
};
