//! Names that the rules of the SEC change to codes: states and provinces, countries (ISO 3166-1), exchanges, kinds of filers.

/// States of the US and provinces of Canada.
const STATES: &str = "alabama=AL;alaska=AK;arizona=AZ;arkansas=AR;california=CA;colorado=CO;connecticut=CT;delaware=DE;\
district of columbia=DC;florida=FL;georgia=GA;hawaii=HI;idaho=ID;illinois=IL;indiana=IN;iowa=IA;kansas=KS;kentucky=KY;\
louisiana=LA;maine=ME;maryland=MD;massachusetts=MA;michigan=MI;minnesota=MN;mississippi=MS;missouri=MO;montana=MT;nebraska=NE;\
nevada=NV;new hampshire=NH;new jersey=NJ;new mexico=NM;new york=NY;north carolina=NC;north dakota=ND;ohio=OH;oklahoma=OK;\
oregon=OR;pennsylvania=PA;puerto rico=PR;rhode island=RI;south carolina=SC;south dakota=SD;tennessee=TN;texas=TX;utah=UT;\
vermont=VT;virginia=VA;washington=WA;west virginia=WV;wisconsin=WI;wyoming=WY;alberta=A0;british columbia=A1;manitoba=A2;\
new brunswick=A3;newfoundland=A4;nova scotia=A5;ontario=A6;prince edward island=A7;quebec=A8;saskatchewan=A9;yukon=B0";
const COUNTRIES: &str = "afghanistan=AF;albania=AL;algeria=DZ;andorra=AD;angola=AO;argentina=AR;armenia=AM;australia=AU;austria=AT;\
azerbaijan=AZ;bahamas=BS;bahrain=BH;bangladesh=BD;barbados=BB;belarus=BY;belgium=BE;belize=BZ;benin=BJ;bermuda=BM;bhutan=BT;\
bolivia=BO;bosnia and herzegovina=BA;botswana=BW;brazil=BR;british virgin islands=VG;virgin islands, british=VG;brunei=BN;\
bulgaria=BG;burkina faso=BF;burundi=BI;cambodia=KH;cameroon=CM;canada=CA;cape verde=CV;cayman islands=KY;chad=TD;chile=CL;\
china=CN;colombia=CO;congo=CG;costa rica=CR;croatia=HR;cuba=CU;curacao=CW;curaçao=CW;cyprus=CY;czech republic=CZ;czechia=CZ;\
denmark=DK;djibouti=DJ;dominican republic=DO;ecuador=EC;egypt=EG;el salvador=SV;estonia=EE;ethiopia=ET;fiji=FJ;finland=FI;\
france=FR;gabon=GA;gambia=GM;georgia=GE;germany=DE;ghana=GH;gibraltar=GI;greece=GR;greenland=GL;guatemala=GT;guernsey=GG;\
guinea=GN;guyana=GY;haiti=HT;honduras=HN;hong kong=HK;hungary=HU;iceland=IS;india=IN;indonesia=ID;iran=IR;iraq=IQ;ireland=IE;\
isle of man=IM;israel=IL;italy=IT;ivory coast=CI;cote d'ivoire=CI;jamaica=JM;japan=JP;jersey=JE;jordan=JO;kazakhstan=KZ;\
kenya=KE;korea, republic of=KR;republic of korea=KR;south korea=KR;kuwait=KW;kyrgyzstan=KG;laos=LA;latvia=LV;lebanon=LB;\
liberia=LR;libya=LY;liechtenstein=LI;lithuania=LT;luxembourg=LU;macao=MO;macau=MO;madagascar=MG;malawi=MW;malaysia=MY;\
maldives=MV;mali=ML;malta=MT;marshall islands=MH;mauritania=MR;mauritius=MU;mexico=MX;moldova=MD;monaco=MC;mongolia=MN;\
montenegro=ME;morocco=MA;mozambique=MZ;myanmar=MM;namibia=NA;nepal=NP;netherlands=NL;the netherlands=NL;new zealand=NZ;\
nicaragua=NI;niger=NE;nigeria=NG;north macedonia=MK;norway=NO;oman=OM;pakistan=PK;panama=PA;papua new guinea=PG;paraguay=PY;\
peru=PE;philippines=PH;poland=PL;portugal=PT;puerto rico=PR;qatar=QA;romania=RO;russia=RU;russian federation=RU;rwanda=RW;\
san marino=SM;saudi arabia=SA;senegal=SN;serbia=RS;seychelles=SC;sierra leone=SL;singapore=SG;slovakia=SK;slovenia=SI;\
somalia=SO;south africa=ZA;spain=ES;sri lanka=LK;sudan=SD;suriname=SR;sweden=SE;switzerland=CH;syria=SY;taiwan=TW;\
tajikistan=TJ;tanzania=TZ;thailand=TH;togo=TG;trinidad and tobago=TT;tunisia=TN;turkey=TR;türkiye=TR;turkmenistan=TM;uganda=UG;\
ukraine=UA;united arab emirates=AE;united kingdom=GB;england=GB;great britain=GB;scotland=GB;wales=GB;northern ireland=GB;\
united states=US;united states of america=US;usa=US;uruguay=UY;uzbekistan=UZ;venezuela=VE;vietnam=VN;viet nam=VN;yemen=YE;\
zambia=ZM;zimbabwe=ZW";
/// What the names of exchanges begin with or hold, the longest first.
const EXCHANGES: &str = "nyse american=NYSEAMER;nyse arca=NYSEArca;nyse chicago=NYSECHX;nyse national=NYSENAT;nyse texas=NYSETX;\
new york stock exchange=NYSE;nyse=NYSE;nasdaq=NASDAQ;cboe bzx=CboeBZX;cboe byx=CboeBYX;cboe edga=CboeEDGA;cboe edgx=CboeEDGX;\
cboe exchange=CBOE;boston options exchange=BOX;box exchange=BOX;chicago stock exchange=CHX;investors exchange=IEX;\
long-term stock exchange=LTSE;miami international=MIAX;philadelphia stock exchange=PHLX";
const FILERS: [&str; 5] = [
    "Large Accelerated Filer",
    "Accelerated Filer",
    "Non-accelerated Filer",
    "Smaller Reporting Company",
    "Smaller Reporting Accelerated Filer",
];

fn listed(list: &str, matches: impl Fn(&str) -> bool) -> Option<&str> {
    list.split(';')
        .filter_map(|entry| entry.split_once('='))
        .find(|(name, _)| matches(name))
        .map(|(_, code)| code)
}

/// The code of what `shown` names, by `rule`; `None` where the rule is another, or the name is not known.
pub(super) fn code(shown: &str, rule: &str) -> Option<String> {
    let lower = shown.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let plain = lower.strip_prefix("the ").unwrap_or(&lower);
    let plain =
        plain.strip_prefix("state of ").or_else(|| plain.strip_prefix("commonwealth of ")).unwrap_or(plain);
    let exactly = |list: &'static str| listed(list, |name| name == plain || name == lower);
    let found = match rule {
        "stateprovnameen" => exactly(STATES),
        "countrynameen" => exactly(COUNTRIES),
        "edgarprovcountryen" => exactly(STATES).or_else(|| exactly(COUNTRIES)),
        "exchnameen" => listed(EXCHANGES, |name| plain.contains(name)),
        "entityfilercategoryen" => FILERS.into_iter().find(|kind| kind.to_lowercase() == lower),
        _ => None,
    };
    found.map(str::to_owned)
}
