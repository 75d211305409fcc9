/**
 * Words that people use for one another, a line per group: agent work first, daily life after. Chosen by hand for
 * memories of work and talk; a thesaurus would bring in more noise than sense.
 */
export const SYNONYM_GROUPS = `
db database
repo repository
config configuration settings
auth authentication login signin
authorization permission access
k8s kubernetes
deploy release ship rollout deployment
bug defect issue
error failure exception crash
fix repair patch resolve
env environment
dev development
prod production
staging preprod
infra infrastructure
perf performance speed
slow sluggish latency
doc documentation docs
spec specification
repro reproduce
deps dependency dependencies
pkg package library
lib library
ver version
param parameter argument
arg argument
fn function method
func function
var variable
const constant
dir directory folder
msg message
req request
resp response reply
impl implementation implement
init initialize initialise setup
async asynchronous
sync synchronize synchronise
admin administrator
api endpoint
url link address
ui interface frontend
frontend client
backend server
js javascript
ts typescript
py python
pg postgres postgresql
sql query
mongo mongodb
ai llm model
vm container
ci pipeline build
pr merge
commit revision
branch fork
test spec check
flaky unstable intermittent
refactor restructure rewrite cleanup
delete remove erase drop
add create insert
change modify edit update
upgrade update bump
rollback revert undo
migrate migration
cache caching
queue backlog
cron schedule scheduler job
monitor monitoring observability
log logging
secret credential password key
token key
encrypt encryption
backup snapshot
restore recover recovery
timeout deadline
limit quota cap
retry reattempt
lint linter
format formatter
compile build
script command
cli terminal shell
repo codebase
decide decision choose chose
choose pick select
reason rationale
plan roadmap
todo task
meeting call standup
customer client
invoice bill
budget cost
price cost
company firm employer
boss manager supervisor
colleague coworker teammate
job work career occupation profession
hire recruit
salary pay wage
resign quit
vacation holiday trip
trip journey travel
travel visit
flight plane
hotel accommodation
car vehicle
bike bicycle cycling
buy purchase
sell sale
cheap affordable inexpensive
expensive costly
kid child
son boy child
daughter girl child
mom mother mum
dad father
parent mother father
grandma grandmother granny
grandpa grandfather
sibling brother sister
spouse husband wife partner
boyfriend partner
girlfriend partner
fiance engaged
marry wedding married
divorce separated
family relative
friend buddy pal
pet animal
dog puppy
cat kitten
doctor physician
hospital clinic
sick ill illness unwell
hurt injury injured
medicine medication drug
therapy counseling counselling therapist
exercise workout training gym
run jog running
hike hiking trek
swim swimming
movie film
tv television show
picture photo image photograph
paint painting
draw drawing sketch
song music
band concert
book novel
hobby pastime interest
game play
food meal dish
dinner supper
cook cooking recipe
restaurant cafe diner
coffee espresso
vegetarian vegan
allergy allergic
house home
apartment flat
move relocate relocation
city town
country nation
street address
phone mobile telephone
email mail
laptop computer
birthday born
age old
die death
college university
school class
study studying learn
teacher instructor
degree graduation graduate diploma
exam test
money cash finances
save savings
gift present
party celebration
celebrate celebration
happy glad joyful
sad unhappy upset
angry mad furious
afraid scared fear
worried anxious anxiety stressed
tired exhausted
love adore
like enjoy prefer
hate dislike
favorite favourite
color colour
big large huge
small little tiny
start begin
finish complete end
stop quit
help assist support
need require
want wish
use utilize
try attempt
talk discuss chat
say tell mention
ask question
meet encounter
recommend suggest suggestion recommendation
volunteer volunteering charity
church faith religion religious
art artwork
event occasion
goal aim objective
problem trouble difficulty
idea suggestion
reward prize award
`;
