/** Forms of one word that cutting off endings does not bring together. The first of a line is the plain form. */
export const IRREGULAR_FORMS = `
arise arose arisen
awake awoke awoken
beat beaten
become became
begin began begun
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
come came
creep crept
deal dealt
dig dug
dive dove
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
lean leant
learn learnt
leave left
lend lent
light lit
lose lost
make made
mean meant
meet met
mistake mistook mistaken
pay paid
prove proven
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
smell smelt
speak spoke spoken
speed sped
spell spelt
spend spent
spill spilt
spin spun
spoil spoilt
stand stood
steal stole stolen
stick stuck
sting stung
strike struck
string strung
strive strove striven
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
undertake undertook undertaken
undo undid undone
uphold upheld
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
wind wound
withdraw withdrew withdrawn
wring wrung
write wrote written
overcome overcame
override overrode overridden
overwrite overwrote overwritten
rebuild rebuilt
redo redid redone
rerun reran
resend resent
rewrite rewrote rewritten
withhold withheld
child children
man men
woman women
person people
mouse mice
tooth teeth
foot feet
goose geese
ox oxen
wife wives
knife knives
life lives
leaf leaves
shelf shelves
half halves
loaf loaves
wolf wolves
thief thieves
self selves
index indices indexes
matrix matrices
vertex vertices
appendix appendices
criterion criteria
phenomenon phenomena
analysis analyses
crisis crises
basis bases
thesis theses
hypothesis hypotheses
diagnosis diagnoses
datum data
medium media
curriculum curricula
schema schemata schemas
fungus fungi
cactus cacti
alumnus alumni
radius radii
syllabus syllabi
die dying died
lie lying lied
tie tying tied
good better best
bad worse worst
far further farther
`;
