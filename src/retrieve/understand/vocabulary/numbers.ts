/** A line per number: the figure and how it is said. Ordinals stand with theirs ("3rd", "third"). */
export const NUMBER_GROUPS = `
1 one
2 two
3 three
4 four
5 five
6 six
7 seven
8 eight
9 nine
10 ten
11 eleven
12 twelve
13 thirteen
14 fourteen
15 fifteen
16 sixteen
17 seventeen
18 eighteen
19 nineteen
20 twenty
30 thirty
40 forty
50 fifty
60 sixty
70 seventy
80 eighty
90 ninety
100 hundred
1000 thousand
1st first
2nd second
3rd third
4th fourth
5th fifth
6th sixth
7th seventh
8th eighth
9th ninth
10th tenth
`;

/** Short and long names of weekdays and months. Not those whose short form is another word: sat, sun, mar. */
export const CALENDAR_GROUPS = `
monday mon
tuesday tue tues
wednesday wed
thursday thu thurs
friday fri
january jan
february feb
april apr
june jun
july jul
august aug
september sep sept
october oct
november nov
december dec
`;
