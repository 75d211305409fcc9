/** Words of life at home, field by field; a word may stand in several. */
export const LIFE_FIELDS: Readonly<Record<string, string>> = {
  cooking:
    'recipe recipes cook cooking dinner dinners lunch breakfast supper meal meals dish ingredient oven pan pot fry roast boil simmer grill stir salt pepper spice garlic onion tomato tomatoes potato carrot cabbage leek spinach broccoli salad soup sauce pasta noodle noodles rice bean beans lentil lentils chickpea cheese feta egg eggs milk cream chicken beef pork ham bacon sausage meat fish salmon tofu vegetable vegetables pizza curry stew leftover leftovers fridge freezer vegetarian vegan kitchen serve portion guests eat prepare menu tasty flavour courgette aubergine mushroom hummus',
  baking:
    'bake baking baked dough flour butter sugar yeast sourdough starter loaf bread cake cookie cookies muffin croissant pastry tart pie pancake icing dessert biscuit oven proof knead crust vanilla chocolate brownie scone bakery jam honey',
  groceries:
    'groceries grocery shopping list supermarket shop buy vegetables tins bread milk market basket aisle butcher',
  drinks:
    'coffee espresso tea wine beer cocktail whisky juice brew brewing grinder beans barista latte cup bottle bar pub brewery cider gin',
  allergies:
    'allergy allergic allergies intolerance nuts nut peanut peanuts almond walnut cashew hazelnut pistachio pecan gluten lactose celiac traces epipen adrenaline reaction hives shellfish sesame marzipan nougat',
  nutrition:
    'calories calorie protein carbs fat diet dieting nutrition vitamin supplement fasting weight kilos macro macros fibre sugar healthy snack',
  restaurants:
    'restaurant table reservation reserve menu waiter tip brunch takeaway delivery cuisine sushi bistro café diner',
  gardening:
    'garden gardening allotment plot plant plants planting sow sowing seed seeds seedling seedlings soil compost bed beds prune pruning harvest weed weeds slug slugs snail flower flowers rose tulip hedge lawn mow grass water watering greenhouse fertiliser mulch frost bloom tomato bean beans pumpkin courgette lettuce radish herb basil bulb balcony shed spade rake hose orchard pest aphid rotation rain raining dig grow growing carrots potatoes strawberries',
  houseplants:
    'houseplant plant pot repot leaves yellow monstera cactus succulent orchid ficus fertilise mist windowsill drainage',
  gym: 'gym workout workouts training train squat squats deadlift bench press rep reps set sets lift lifting weight weights barbell dumbbell dumbbells kettlebell muscle strength deload coach fitness pull-up push-up plank session warm-up plate plates rack progress stall light routine sore hypertrophy',
  running:
    'run running runner jog marathon half-marathon sprint treadmill pace kilometre tempo interval intervals long shoes race 10k 5k trail taper strava heart-rate cadence',
  cycling:
    'bike bicycle cycling ride riding gear gears chain tyre puncture saddle helmet pedal wheel brake derailleur cassette tubeless gravel',
  swimming: 'swim swimming pool lane crawl breaststroke goggles laps lifeguard dive diving snorkel',
  yoga: 'yoga pilates meditation meditate mindfulness breathing stretch mat pose calm journal gratitude',
  outdoors:
    'hike hiking trail mountain tent camp camping campsite backpack boots climb climbing rope summit hut map compass ski skiing snowboard avalanche kayak canoe paddle sail sailing fishing hunting lake river forest awning',
  teamsports:
    'football soccer tennis basketball handball volleyball hockey rugby cricket match goal team league score player coach referee championship tournament ball stadium cup final training club season olympics',
  bodyinjury:
    'knee shoulder back ankle hip elbow wrist neck meniscus tendon ligament acl physio physiotherapy physiotherapist rehab crutch crutches exercise exercises swelling swollen stiff bend bending flexion locked locking click limp pain painful hurts ache ice surgeon operation brace fracture sprain stairs twist wobbly quad heel step-up',
  medical:
    'doctor physician gp clinic hospital surgery symptom symptoms fever cough flu cold infection rash blood pressure test results diagnosis nurse vaccine vaccination specialist referral appointment dermatologist x-ray mri scan headache migraine asthma diabetes insulin sick ill nausea dizzy chest',
  medication:
    'medicine medication medications tablet tablets pill pills dose doses dosage prescription pharmacy pharmacist refill milligram mg antibiotic painkiller ibuprofen paracetamol side effects missed morning evening injection drops ointment inhaler',
  mentalhealth:
    'therapy therapist anxiety anxious depression depressed stress stressed panic burnout sleep insomnia mood counselling psychologist overwhelmed lonely grief',
  sleep: 'sleep sleeping asleep insomnia nap bedtime wake alarm snore melatonin tired nightmare mattress pillow night',
  dental: 'dentist tooth teeth filling crown root canal braces floss gum wisdom orthodontist hygienist',
  eyes: 'optician glasses lenses eye eyes prescription contact sight vision frames',
  pregnancy: 'pregnant pregnancy midwife birth due trimester ultrasound contractions newborn breastfeeding',
  babies:
    'baby toddler nappy diaper bottle feeding crib pram stroller teething nap daycare nursery kindergarten babysitter nanny potty',
  pets: 'dog dogs cat cats puppy kitten beagle labrador poodle terrier vet veterinarian paw leash walk bark tail treat treats kennel litter rabbit hamster parrot pet dogsitter fur flea tick seizure fit epilepsy fetch collar breed aquarium neuter worming cramps feed feeding animal horse stable saddle chicken hens bees hive',
  school:
    'school teacher teachers homework class classroom pupil pupils student grade grades report card exam lesson lessons kindergarten parents evening principal timetable maths spelling essay semester term lunchbox satchel playground trip excursion club pickup pick-up kid kids child children son daughter geography biology form sign sick note letter primary secondary',
  university:
    'university college lecture professor campus seminar thesis exam semester degree bachelor master credits tuition scholarship dorm faculty',
  learning:
    'learn learning study studying flashcard flashcards anki course exam revise revision memorise quiz certificate tutor practice notes',
  languages:
    'german english french spanish italian japanese chinese portuguese dutch grammar vocabulary verb verbs noun dative accusative genitive tense conjugate conjugation article pronunciation translate lesson exercise flashcard flashcards fluent b1 b2 goethe duolingo speaking listening sentence word words idiom dictionary konjunktiv subjunctive correct mistake mistakes practise',
  instruments:
    'cello violin viola piano guitar bass drum drums flute clarinet trumpet saxophone harp instrument bow bowing scale scales étude etude metronome tempo bar bars measure chord chords melody vibrato practise practice practising string strings fingering position sonata concerto octave arpeggio sight-reading lesson legato bach popper tuning tuner shift play playing piece',
  choirs: 'choir sing singing singer alto tenor soprano voice rehearsal concert hymn score conductor',
  music:
    'music song songs album band concert playlist spotify vinyl lyrics genre jazz rock orchestra festival gig composer symphony record',
  photography:
    'photo photos photography camera lens exposure aperture shutter iso tripod lightroom raw portrait focus flash print',
  painting:
    'paint painting acrylic watercolour oil canvas brush sketch drawing draw easel gallery portrait pottery clay',
  handicraft: 'knit knitting yarn wool needle needles sew sewing fabric crochet stitch pattern quilt embroidery thread',
  woodwork:
    'wood wooden saw drill sand sanding plane joint glue varnish oak pine plywood screw screws chisel workbench shelf chair timber router carpentry',
  reading:
    'book books novel author chapter read reading library kindle plot character poem poetry fiction bestseller bookshop memoir story heroine',
  films:
    'film films movie movies series episode season actor actress director netflix streaming cinema documentary scene trailer oscar sketch comedy',
  games:
    'game games board chess card cards dice puzzle video console playstation xbox nintendo steam level quest mario minecraft dungeon dragons campaign multiplayer crossword quiz riddle',
  family:
    'mum mom dad father mother brother sister grandma grandpa gran grandparents aunt uncle cousin wife husband partner nephew niece in-law in-laws family parents relatives siblings genealogy ancestors',
  celebrations:
    'birthday party wedding anniversary christmas easter present presents gift gifts guest guests invitation invitations cake decoration toast bride groom speech celebrate festival halloween balloon',
  elderly: 'elderly carer care nursing home dementia alzheimer walker wheelchair mobility hearing aid pension',
  travel:
    'travel trip trips flight flights fly plane airport airline train trains station ticket tickets seat hotel hotels hostel airbnb luggage suitcase passport visa boarding itinerary tour tourist beach vacation holiday destination check-in cabin ferry layover fare rail railway connection journey route arrive arrival departure depart abroad zurich paris london rome vienna lisbon berlin book booking booked reservation overnight sightseeing',
  commuting:
    'commute bus tram metro subway underground timetable stop platform delay delayed ticket pass rush hour scooter taxi uber',
  cars: 'car cars drive driver driving engine tyre tyres tire brake brakes wheel oil petrol diesel fuel electric charging garage mechanic motorway parking licence bumper clutch mileage inspection torque mot tuv dent insurance lease suv van caravan vehicle',
  home: 'house flat apartment room bedroom bathroom kitchen living wall floor ceiling window door roof furniture sofa lamp curtain carpet shelf wardrobe decorate interior hallway attic cellar basement',
  renovation:
    'renovation renovate renovating rebuild kitchen bathroom tile tiles worktop cabinet cupboard fronts drawer plumber plumbing electrician carpenter craftsman builder builders fitter fitters socket tap sink stove hob paint plaster drill silicone insulation contractor quote defect defects instalment installment demolition wall floor flooring parquet grout scratched',
  repairs:
    'repair repairs fix broken leak leaking leaks tap pipe drain toilet boiler radiator heating fuse socket hinge squeak mould damp handyman dishwasher washing machine dryer',
  cleaning:
    'clean cleaning vacuum mop laundry wash stain dust tidy declutter dishes bin rubbish recycling ironing detergent smell',
  renting:
    'rent rental landlord tenant lease deposit tenancy flatmate utilities neighbour noise notice eviction viewing listing estate agent',
  property:
    'mortgage house property buy seller viewing valuation surveyor notary estate agent square metre neighbourhood plot land deed',
  moving: 'move moving removal boxes van pack packing unpack address forwarding furniture keys handover',
  smarthome:
    'smart home sensor thermostat hue zigbee alexa automation hub bulb switch socket solar panel panels inverter heat pump battery meter kwh',
  energy: 'electricity gas power energy meter tariff kwh supplier bill solar heating water',
  money:
    'money bank account payment pay transfer loan interest savings save saving budget budgeting cost costs price spend spending spent salary wage income debt credit card cash euro euros dollar pound fee refund standing order',
  investing:
    'invest investing investment stock stocks share shares fund etf portfolio dividend bond crypto bitcoin broker trading market leverage equity index yield pension retirement',
  insurance:
    'insurance insurer policy claim claims premium cover coverage liability deductible accident damage assessor',
  officialdom:
    'passport visa permit residence registration citizenship authority office form application embassy certificate notary id immigration council licence',
  shopping:
    'buy order ordered shop store delivery parcel package return size shoes shirt jacket dress brand discount price cart amazon warranty exchange online ebay',
  clothes: 'clothes shirt dress jacket jeans shoes coat suit tie wardrobe outfit wear size fit tailor wash sneakers',
  beauty: 'hair haircut skin skincare makeup shampoo nails beard shave perfume barber salon cream',
  relationships:
    'girlfriend boyfriend date dating partner relationship breakup argue friend friends love marriage divorce trust apologise',
  volunteering:
    'volunteer volunteering charity donation donate donor fundraiser fundraising association club member members committee board nonprofit treasurer parish church mosque synagogue prayer sermon',
  emergencies:
    'emergency ambulance fire police accident burglary first aid evacuation flood blackout unconscious bleeding choking',
};
