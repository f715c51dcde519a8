/**
 * Hazard statements of annex III of Regulation (EC) No 1272/2008 (CLP) and supplemental statements, in the order and
 * wording of the regulation. `{route}`, `{organs}`, `{effect}` and `{substances}` are placeholders; the text after `=`
 * is the default. Repealed codes are omitted.
 */
export const HAZARD_TEXTS = {
  H200: {
    de: 'Instabil, explosiv.',
    en: 'Unstable explosive.',
    fr: 'Explosif instable.',
  },
  H201: {
    de: 'Explosiv, Gefahr der Massenexplosion.',
    en: 'Explosive; mass explosion hazard.',
    fr: 'Explosif\u202f; danger d’explosion en masse.',
  },
  H202: {
    de: 'Explosiv; große Gefahr durch Splitter, Spreng- und Wurfstücke.',
    en: 'Explosive; severe projection hazard.',
    fr: 'Explosif\u202f; danger sérieux de projection.',
  },
  H203: {
    de: 'Explosiv; Gefahr durch Feuer, Luftdruck oder Splitter, Spreng- und Wurfstücke.',
    en: 'Explosive; fire, blast or projection hazard.',
    fr: 'Explosif\u202f; danger d’incendie, d’effet de souffle ou de projection.',
  },
  H204: {
    de: 'Gefahr durch Feuer oder Splitter, Spreng- und Wurfstücke.',
    en: 'Fire or projection hazard.',
    fr: 'Danger d’incendie ou de projection.',
  },
  H205: {
    de: 'Gefahr der Massenexplosion bei Feuer.',
    en: 'May mass explode in fire.',
    fr: 'Danger d’explosion en masse en cas d’incendie.',
  },
  H206: {
    de: 'Gefahr durch Feuer, Druckstoß oder Sprengstücke; erhöhte Explosionsgefahr, wenn das Desensibilisierungsmittel reduziert wird.',
    en: 'Fire, blast or projection hazard; increased risk of explosion if desensitising agent is reduced.',
    fr: 'Danger d’incendie, d’effet de souffle ou de projection\u202f; risque accru d’explosion si l’agent désensibilisateur est réduit.',
  },
  H207: {
    de: 'Gefahr durch Feuer oder Sprengstücke; erhöhte Explosionsgefahr, wenn das Desensibilisierungsmittel reduziert wird.',
    en: 'Fire or projection hazard; increased risk of explosion if desensitising agent is reduced.',
    fr: 'Danger d’incendie ou de projection\u202f; risque accru d’explosion si l’agent désensibilisateur est réduit.',
  },
  H208: {
    de: 'Gefahr durch Feuer; erhöhte Explosionsgefahr, wenn das Desensibilisierungsmittel reduziert wird.',
    en: 'Fire hazard; increased risk of explosion if desensitising agent is reduced.',
    fr: 'Danger d’incendie\u202f; risque accru d’explosion si l’agent désensibilisateur est réduit.',
  },
  H220: {
    de: 'Extrem entzündbares Gas.',
    en: 'Extremely flammable gas.',
    fr: 'Gaz extrêmement inflammable.',
  },
  H221: {
    de: 'Entzündbares Gas.',
    en: 'Flammable gas.',
    fr: 'Gaz inflammable.',
  },
  H222: {
    de: 'Extrem entzündbares Aerosol.',
    en: 'Extremely flammable aerosol.',
    fr: 'Aérosol extrêmement inflammable.',
  },
  H223: {
    de: 'Entzündbares Aerosol.',
    en: 'Flammable aerosol.',
    fr: 'Aérosol inflammable.',
  },
  H224: {
    de: 'Flüssigkeit und Dampf extrem entzündbar.',
    en: 'Extremely flammable liquid and vapour.',
    fr: 'Liquide et vapeurs extrêmement inflammables.',
  },
  H225: {
    de: 'Flüssigkeit und Dampf leicht entzündbar.',
    en: 'Highly flammable liquid and vapour.',
    fr: 'Liquide et vapeurs très inflammables.',
  },
  H226: {
    de: 'Flüssigkeit und Dampf entzündbar.',
    en: 'Flammable liquid and vapour.',
    fr: 'Liquide et vapeurs inflammables.',
  },
  H228: {
    de: 'Entzündbarer Feststoff.',
    en: 'Flammable solid.',
    fr: 'Matière solide inflammable.',
  },
  H229: {
    de: 'Behälter steht unter Druck: Kann bei Erwärmung bersten.',
    en: 'Pressurised container: May burst if heated.',
    fr: 'Récipient sous pression\u00a0: peut éclater sous l’effet de la chaleur.',
  },
  H230: {
    de: 'Kann auch in Abwesenheit von Luft explosionsartig reagieren.',
    en: 'May react explosively even in the absence of air.',
    fr: 'Peut exploser même en l’absence d’air.',
  },
  H231: {
    de: 'Kann auch in Abwesenheit von Luft bei erhöhtem Druck und/oder erhöhter Temperatur explosionsartig reagieren.',
    en: 'May react explosively even in the absence of air at elevated pressure and/or temperature.',
    fr: 'Peut exploser même en l’absence d’air à une pression et/ou température élevée(s).',
  },
  H232: {
    de: 'Kann sich bei Kontakt mit Luft spontan entzünden.',
    en: 'May ignite spontaneously if exposed to air.',
    fr: 'Peut s’enflammer spontanément au contact de l’air.',
  },
  H240: {
    de: 'Erwärmung kann Explosion verursachen.',
    en: 'Heating may cause an explosion.',
    fr: 'Peut exploser sous l’effet de la chaleur.',
  },
  H241: {
    de: 'Erwärmung kann Brand oder Explosion verursachen.',
    en: 'Heating may cause a fire or explosion.',
    fr: 'Peut s’enflammer ou exploser sous l’effet de la chaleur.',
  },
  H242: {
    de: 'Erwärmung kann Brand verursachen.',
    en: 'Heating may cause a fire.',
    fr: 'Peut s’enflammer sous l’effet de la chaleur.',
  },
  H250: {
    de: 'Entzündet sich in Berührung mit Luft von selbst.',
    en: 'Catches fire spontaneously if exposed to air.',
    fr: 'S’enflamme spontanément au contact de l’air.',
  },
  H251: {
    de: 'Selbsterhitzungsfähig; kann in Brand geraten.',
    en: 'Self-heating; may catch fire.',
    fr: 'Matière auto-échauffante\u202f; peut s’enflammer.',
  },
  H252: {
    de: 'In großen Mengen selbsterhitzungsfähig; kann in Brand geraten.',
    en: 'Self-heating in large quantities; may catch fire.',
    fr: 'Matière auto-échauffante en grandes quantités\u202f; peut s’enflammer.',
  },
  H260: {
    de: 'In Berührung mit Wasser entstehen entzündbare Gase, die sich spontan entzünden können.',
    en: 'In contact with water releases flammable gases which may ignite spontaneously.',
    fr: 'Dégage au contact de l’eau des gaz inflammables qui peuvent s’enflammer spontanément.',
  },
  H261: {
    de: 'In Berührung mit Wasser entstehen entzündbare Gase.',
    en: 'In contact with water releases flammable gases.',
    fr: 'Dégage au contact de l’eau des gaz inflammables.',
  },
  H270: {
    de: 'Kann Brand verursachen oder verstärken; Oxidationsmittel.',
    en: 'May cause or intensify fire; oxidiser.',
    fr: 'Peut provoquer ou aggraver un incendie\u202f; comburant.',
  },
  H271: {
    de: 'Kann Brand oder Explosion verursachen; starkes Oxidationsmittel.',
    en: 'May cause fire or explosion; strong oxidiser.',
    fr: 'Peut provoquer un incendie ou une explosion\u202f; comburant puissant.',
  },
  H272: {
    de: 'Kann Brand verstärken; Oxidationsmittel.',
    en: 'May intensify fire; oxidiser.',
    fr: 'Peut aggraver un incendie\u202f; comburant.',
  },
  H280: {
    de: 'Enthält Gas unter Druck; kann bei Erwärmung explodieren.',
    en: 'Contains gas under pressure; may explode if heated.',
    fr: 'Contient un gaz sous pression\u202f; peut exploser sous l’effet de la chaleur.',
  },
  H281: {
    de: 'Enthält tiefgekühltes Gas; kann Kälteverbrennungen oder -verletzungen verursachen.',
    en: 'Contains refrigerated gas; may cause cryogenic burns or injury.',
    fr: 'Contient un gaz réfrigéré\u202f; peut causer des brûlures ou blessures cryogéniques.',
  },
  H290: {
    de: 'Kann gegenüber Metallen korrosiv sein.',
    en: 'May be corrosive to metals.',
    fr: 'Peut être corrosif pour les métaux.',
  },
  H300: {
    de: 'Lebensgefahr bei Verschlucken.',
    en: 'Fatal if swallowed.',
    fr: 'Mortel en cas d’ingestion.',
  },
  H301: {
    de: 'Giftig bei Verschlucken.',
    en: 'Toxic if swallowed.',
    fr: 'Toxique en cas d’ingestion.',
  },
  H302: {
    de: 'Gesundheitsschädlich bei Verschlucken.',
    en: 'Harmful if swallowed.',
    fr: 'Nocif en cas d’ingestion.',
  },
  H304: {
    de: 'Kann bei Verschlucken und Eindringen in die Atemwege tödlich sein.',
    en: 'May be fatal if swallowed and enters airways.',
    fr: 'Peut être mortel en cas d’ingestion et de pénétration dans les voies respiratoires.',
  },
  H310: {
    de: 'Lebensgefahr bei Hautkontakt.',
    en: 'Fatal in contact with skin.',
    fr: 'Mortel par contact cutané.',
  },
  H311: {
    de: 'Giftig bei Hautkontakt.',
    en: 'Toxic in contact with skin.',
    fr: 'Toxique par contact cutané.',
  },
  H312: {
    de: 'Gesundheitsschädlich bei Hautkontakt.',
    en: 'Harmful in contact with skin.',
    fr: 'Nocif par contact cutané.',
  },
  H314: {
    de: 'Verursacht schwere Verätzungen der Haut und schwere Augenschäden.',
    en: 'Causes severe skin burns and eye damage.',
    fr: 'Provoque de graves brûlures de la peau et de graves lésions des yeux.',
  },
  H315: {
    de: 'Verursacht Hautreizungen.',
    en: 'Causes skin irritation.',
    fr: 'Provoque une irritation cutanée.',
  },
  H317: {
    de: 'Kann allergische Hautreaktionen verursachen.',
    en: 'May cause an allergic skin reaction.',
    fr: 'Peut provoquer une allergie cutanée.',
  },
  H318: {
    de: 'Verursacht schwere Augenschäden.',
    en: 'Causes serious eye damage.',
    fr: 'Provoque de graves lésions des yeux.',
  },
  H319: {
    de: 'Verursacht schwere Augenreizung.',
    en: 'Causes serious eye irritation.',
    fr: 'Provoque une sévère irritation des yeux.',
  },
  H330: {
    de: 'Lebensgefahr bei Einatmen.',
    en: 'Fatal if inhaled.',
    fr: 'Mortel par inhalation.',
  },
  H331: {
    de: 'Giftig bei Einatmen.',
    en: 'Toxic if inhaled.',
    fr: 'Toxique par inhalation.',
  },
  H332: {
    de: 'Gesundheitsschädlich bei Einatmen.',
    en: 'Harmful if inhaled.',
    fr: 'Nocif par inhalation.',
  },
  H334: {
    de: 'Kann bei Einatmen Allergie, asthmaartige Symptome oder Atembeschwerden verursachen.',
    en: 'May cause allergy or asthma symptoms or breathing difficulties if inhaled.',
    fr: 'Peut provoquer des symptômes allergiques ou d’asthme ou des difficultés respiratoires par inhalation.',
  },
  H335: {
    de: 'Kann die Atemwege reizen.',
    en: 'May cause respiratory irritation.',
    fr: 'Peut irriter les voies respiratoires.',
  },
  H336: {
    de: 'Kann Schläfrigkeit und Benommenheit verursachen.',
    en: 'May cause drowsiness or dizziness.',
    fr: 'Peut provoquer somnolence ou vertiges.',
  },
  H340: {
    de: 'Kann genetische Defekte verursachen{route}.',
    en: 'May cause genetic defects{route}.',
    fr: 'Peut induire des anomalies génétiques{route}.',
  },
  H341: {
    de: 'Kann vermutlich genetische Defekte verursachen{route}.',
    en: 'Suspected of causing genetic defects{route}.',
    fr: 'Susceptible d’induire des anomalies génétiques{route}.',
  },
  H350: {
    de: 'Kann Krebs erzeugen{route}.',
    en: 'May cause cancer{route}.',
    fr: 'Peut provoquer le cancer{route}.',
  },
  H350i: {
    de: 'Kann bei Einatmen Krebs erzeugen.',
    en: 'May cause cancer by inhalation.',
    fr: 'Peut provoquer le cancer par inhalation.',
  },
  H351: {
    de: 'Kann vermutlich Krebs erzeugen{route}.',
    en: 'Suspected of causing cancer{route}.',
    fr: 'Susceptible de provoquer le cancer{route}.',
  },
  H360: {
    de: '{effect=Kann die Fruchtbarkeit beeinträchtigen oder das Kind im Mutterleib schädigen}{route}.',
    en: '{effect=May damage fertility or the unborn child}{route}.',
    fr: '{effect=Peut nuire à la fertilité ou au fœtus}{route}.',
  },
  H360F: {
    de: 'Kann die Fruchtbarkeit beeinträchtigen{route}.',
    en: 'May damage fertility{route}.',
    fr: 'Peut nuire à la fertilité{route}.',
  },
  H360D: {
    de: 'Kann das Kind im Mutterleib schädigen{route}.',
    en: 'May damage the unborn child{route}.',
    fr: 'Peut nuire au fœtus{route}.',
  },
  H360FD: {
    de: 'Kann die Fruchtbarkeit beeinträchtigen. Kann das Kind im Mutterleib schädigen{route}.',
    en: 'May damage fertility. May damage the unborn child{route}.',
    fr: 'Peut nuire à la fertilité. Peut nuire au fœtus{route}.',
  },
  H360Fd: {
    de: 'Kann die Fruchtbarkeit beeinträchtigen. Kann vermutlich das Kind im Mutterleib schädigen{route}.',
    en: 'May damage fertility. Suspected of damaging the unborn child{route}.',
    fr: 'Peut nuire à la fertilité. Susceptible de nuire au fœtus{route}.',
  },
  H360Df: {
    de: 'Kann das Kind im Mutterleib schädigen. Kann vermutlich die Fruchtbarkeit beeinträchtigen{route}.',
    en: 'May damage the unborn child. Suspected of damaging fertility{route}.',
    fr: 'Peut nuire au fœtus. Susceptible de nuire à la fertilité{route}.',
  },
  H361: {
    de: '{effect=Kann vermutlich die Fruchtbarkeit beeinträchtigen oder das Kind im Mutterleib schädigen}{route}.',
    en: '{effect=Suspected of damaging fertility or the unborn child}{route}.',
    fr: '{effect=Susceptible de nuire à la fertilité ou au fœtus}{route}.',
  },
  H361f: {
    de: 'Kann vermutlich die Fruchtbarkeit beeinträchtigen{route}.',
    en: 'Suspected of damaging fertility{route}.',
    fr: 'Susceptible de nuire à la fertilité{route}.',
  },
  H361d: {
    de: 'Kann vermutlich das Kind im Mutterleib schädigen{route}.',
    en: 'Suspected of damaging the unborn child{route}.',
    fr: 'Susceptible de nuire au fœtus{route}.',
  },
  H361fd: {
    de: 'Kann vermutlich die Fruchtbarkeit beeinträchtigen. Kann vermutlich das Kind im Mutterleib schädigen{route}.',
    en: 'Suspected of damaging fertility. Suspected of damaging the unborn child{route}.',
    fr: 'Susceptible de nuire à la fertilité. Susceptible de nuire au fœtus{route}.',
  },
  H362: {
    de: 'Kann Säuglinge über die Muttermilch schädigen.',
    en: 'May cause harm to breast-fed children.',
    fr: 'Peut être nocif pour les bébés nourris au lait maternel.',
  },
  H370: {
    de: 'Schädigt {organs=die Organe}{route}.',
    en: 'Causes damage to {organs=organs}{route}.',
    fr: 'Risque avéré d’effets graves pour {organs=les organes}{route}.',
  },
  H371: {
    de: 'Kann {organs=die Organe} schädigen{route}.',
    en: 'May cause damage to {organs=organs}{route}.',
    fr: 'Risque présumé d’effets graves pour {organs=les organes}{route}.',
  },
  H372: {
    de: 'Schädigt {organs=die Organe} bei längerer oder wiederholter Exposition{route}.',
    en: 'Causes damage to {organs=organs} through prolonged or repeated exposure{route}.',
    fr: 'Risque avéré d’effets graves pour {organs=les organes} à la suite d’expositions répétées ou d’une exposition prolongée{route}.',
  },
  H373: {
    de: 'Kann {organs=die Organe} schädigen bei längerer oder wiederholter Exposition{route}.',
    en: 'May cause damage to {organs=organs} through prolonged or repeated exposure{route}.',
    fr: 'Risque présumé d’effets graves pour {organs=les organes} à la suite d’expositions répétées ou d’une exposition prolongée{route}.',
  },
  'H300+H310': {
    de: 'Lebensgefahr bei Verschlucken oder Hautkontakt.',
    en: 'Fatal if swallowed or in contact with skin.',
    fr: 'Mortel par ingestion ou par contact cutané.',
  },
  'H300+H330': {
    de: 'Lebensgefahr bei Verschlucken oder Einatmen.',
    en: 'Fatal if swallowed or if inhaled.',
    fr: 'Mortel par ingestion ou par inhalation.',
  },
  'H310+H330': {
    de: 'Lebensgefahr bei Hautkontakt oder Einatmen.',
    en: 'Fatal in contact with skin or if inhaled.',
    fr: 'Mortel par contact cutané ou par inhalation.',
  },
  'H300+H310+H330': {
    de: 'Lebensgefahr bei Verschlucken, Hautkontakt oder Einatmen.',
    en: 'Fatal if swallowed, in contact with skin or if inhaled.',
    fr: 'Mortel par ingestion, par contact cutané ou par inhalation.',
  },
  'H301+H311': {
    de: 'Giftig bei Verschlucken oder Hautkontakt.',
    en: 'Toxic if swallowed or in contact with skin.',
    fr: 'Toxique par ingestion ou par contact cutané.',
  },
  'H301+H331': {
    de: 'Giftig bei Verschlucken oder Einatmen.',
    en: 'Toxic if swallowed or if inhaled.',
    fr: 'Toxique par ingestion ou par inhalation.',
  },
  'H311+H331': {
    de: 'Giftig bei Hautkontakt oder Einatmen.',
    en: 'Toxic in contact with skin or if inhaled.',
    fr: 'Toxique par contact cutané ou par inhalation.',
  },
  'H301+H311+H331': {
    de: 'Giftig bei Verschlucken, Hautkontakt oder Einatmen.',
    en: 'Toxic if swallowed, in contact with skin or if inhaled.',
    fr: 'Toxique par ingestion, par contact cutané ou par inhalation.',
  },
  'H302+H312': {
    de: 'Gesundheitsschädlich bei Verschlucken oder Hautkontakt.',
    en: 'Harmful if swallowed or in contact with skin.',
    fr: 'Nocif en cas d’ingestion ou de contact cutané.',
  },
  'H302+H332': {
    de: 'Gesundheitsschädlich bei Verschlucken oder Einatmen.',
    en: 'Harmful if swallowed or if inhaled.',
    fr: 'Nocif en cas d’ingestion ou d’inhalation.',
  },
  'H312+H332': {
    de: 'Gesundheitsschädlich bei Hautkontakt oder Einatmen.',
    en: 'Harmful in contact with skin or if inhaled.',
    fr: 'Nocif en cas de contact cutané ou d’inhalation.',
  },
  'H302+H312+H332': {
    de: 'Gesundheitsschädlich bei Verschlucken, Hautkontakt oder Einatmen.',
    en: 'Harmful if swallowed, in contact with skin or if inhaled.',
    fr: 'Nocif en cas d’ingestion, de contact cutané ou d’inhalation.',
  },
  H400: {
    de: 'Sehr giftig für Wasserorganismen.',
    en: 'Very toxic to aquatic life.',
    fr: 'Très toxique pour les organismes aquatiques.',
  },
  H410: {
    de: 'Sehr giftig für Wasserorganismen mit langfristiger Wirkung.',
    en: 'Very toxic to aquatic life with long lasting effects.',
    fr: 'Très toxique pour les organismes aquatiques, entraîne des effets néfastes à long terme.',
  },
  H411: {
    de: 'Giftig für Wasserorganismen, mit langfristiger Wirkung.',
    en: 'Toxic to aquatic life with long lasting effects.',
    fr: 'Toxique pour les organismes aquatiques, entraîne des effets néfastes à long terme.',
  },
  H412: {
    de: 'Schädlich für Wasserorganismen, mit langfristiger Wirkung.',
    en: 'Harmful to aquatic life with long lasting effects.',
    fr: 'Nocif pour les organismes aquatiques, entraîne des effets néfastes à long terme.',
  },
  H413: {
    de: 'Kann für Wasserorganismen schädlich sein, mit langfristiger Wirkung.',
    en: 'May cause long lasting harmful effects to aquatic life.',
    fr: 'Peut être nocif à long terme pour les organismes aquatiques.',
  },
  H420: {
    de: 'Schädigt die öffentliche Gesundheit und die Umwelt durch Ozonabbau in der äußeren Atmosphäre.',
    en: 'Harms public health and the environment by destroying ozone in the upper atmosphere.',
    fr: 'Nuit à la santé publique et à l’environnement en détruisant l’ozone dans la haute atmosphère.',
  },
  EUH014: {
    de: 'Reagiert heftig mit Wasser.',
    en: 'Reacts violently with water.',
    fr: 'Réagit violemment au contact de l’eau.',
  },
  EUH018: {
    de: 'Kann bei Verwendung explosionsfähige/entzündbare Dampf/Luft-Gemische bilden.',
    en: 'In use may form flammable/explosive vapour-air mixture.',
    fr: 'Lors de l’utilisation, formation possible de mélange vapeur-air inflammable/explosif.',
  },
  EUH019: {
    de: 'Kann explosionsfähige Peroxide bilden.',
    en: 'May form explosive peroxides.',
    fr: 'Peut former des peroxydes explosifs.',
  },
  EUH029: {
    de: 'Entwickelt bei Berührung mit Wasser giftige Gase.',
    en: 'Contact with water liberates toxic gas.',
    fr: 'Au contact de l’eau, dégage des gaz toxiques.',
  },
  EUH031: {
    de: 'Entwickelt bei Berührung mit Säure giftige Gase.',
    en: 'Contact with acids liberates toxic gas.',
    fr: 'Au contact d’un acide, dégage un gaz toxique.',
  },
  EUH032: {
    de: 'Entwickelt bei Berührung mit Säure sehr giftige Gase.',
    en: 'Contact with acids liberates very toxic gas.',
    fr: 'Au contact d’un acide, dégage un gaz très toxique.',
  },
  EUH044: {
    de: 'Explosionsgefahr bei Erhitzen unter Einschluss.',
    en: 'Risk of explosion if heated under confinement.',
    fr: 'Risque d’explosion si chauffé en ambiance confinée.',
  },
  EUH066: {
    de: 'Wiederholter Kontakt kann zu spröder oder rissiger Haut führen.',
    en: 'Repeated exposure may cause skin dryness or cracking.',
    fr: 'L’exposition répétée peut provoquer dessèchement ou gerçures de la peau.',
  },
  EUH070: {
    de: 'Giftig bei Berührung mit den Augen.',
    en: 'Toxic by eye contact.',
    fr: 'Toxique par contact oculaire.',
  },
  EUH071: {
    de: 'Wirkt ätzend auf die Atemwege.',
    en: 'Corrosive to the respiratory tract.',
    fr: 'Corrosif pour les voies respiratoires.',
  },
  EUH201: {
    de: 'Enthält Blei. Nicht für den Anstrich von Gegenständen verwenden, die von Kindern gekaut oder gelutscht werden könnten.',
    en: 'Contains lead. Should not be used on surfaces liable to be chewed or sucked by children.',
    fr: 'Contient du plomb. Ne pas utiliser sur les objets susceptibles d’être mâchés ou sucés par des enfants.',
  },
  EUH201A: {
    de: 'Achtung! Enthält Blei.',
    en: 'Warning! Contains lead.',
    fr: 'Attention\u202f! Contient du plomb.',
  },
  EUH202: {
    de: 'Cyanacrylat. Gefahr. Klebt innerhalb von Sekunden Haut und Augenlider zusammen. Darf nicht in die Hände von Kindern gelangen.',
    en: 'Cyanoacrylate. Danger. Bonds skin and eyes in seconds. Keep out of the reach of children.',
    fr: 'Cyanoacrylate. Danger. Colle à la peau et aux yeux en quelques secondes. À conserver hors de portée des enfants.',
  },
  EUH203: {
    de: 'Enthält Chrom(VI). Kann allergische Reaktionen hervorrufen.',
    en: 'Contains chromium (VI). May produce an allergic reaction.',
    fr: 'Contient du chrome (VI). Peut produire une réaction allergique.',
  },
  EUH204: {
    de: 'Enthält Isocyanate. Kann allergische Reaktionen hervorrufen.',
    en: 'Contains isocyanates. May produce an allergic reaction.',
    fr: 'Contient des isocyanates. Peut produire une réaction allergique.',
  },
  EUH205: {
    de: 'Enthält epoxidhaltige Verbindungen. Kann allergische Reaktionen hervorrufen.',
    en: 'Contains epoxy constituents. May produce an allergic reaction.',
    fr: 'Contient des composés époxydiques. Peut produire une réaction allergique.',
  },
  EUH206: {
    de: 'Achtung! Nicht zusammen mit anderen Produkten verwenden, da gefährliche Gase (Chlor) freigesetzt werden können.',
    en: 'Warning! Do not use together with other products. May release dangerous gases (chlorine).',
    fr: 'Attention\u202f! Ne pas utiliser en combinaison avec d’autres produits. Peut libérer des gaz dangereux (chlore).',
  },
  EUH207: {
    de: 'Achtung! Enthält Cadmium. Bei der Verwendung entstehen gefährliche Dämpfe. Hinweise des Herstellers beachten. Sicherheitsanweisungen einhalten.',
    en: 'Warning! Contains cadmium. Dangerous fumes are formed during use. See information supplied by the manufacturer. Comply with the safety instructions.',
    fr: 'Attention\u202f! Contient du cadmium. Des fumées dangereuses se développent pendant l’utilisation. Voir les informations fournies par le fabricant. Respecter les consignes de sécurité.',
  },
  EUH208: {
    de: 'Enthält {substances}. Kann allergische Reaktionen hervorrufen.',
    en: 'Contains {substances}. May produce an allergic reaction.',
    fr: 'Contient {substances}. Peut produire une réaction allergique.',
  },
  EUH209: {
    de: 'Kann bei Verwendung leicht entzündbar werden.',
    en: 'Can become highly flammable in use.',
    fr: 'Peut devenir facilement inflammable en cours d’utilisation.',
  },
  EUH209A: {
    de: 'Kann bei Verwendung entzündbar werden.',
    en: 'Can become flammable in use.',
    fr: 'Peut devenir inflammable en cours d’utilisation.',
  },
  EUH210: {
    de: 'Sicherheitsdatenblatt auf Anfrage erhältlich.',
    en: 'Safety data sheet available on request.',
    fr: 'Fiche de données de sécurité disponible sur demande.',
  },
  EUH211: {
    de: 'Achtung! Beim Sprühen können gefährliche lungengängige Tröpfchen entstehen. Aerosol oder Nebel nicht einatmen.',
    en: 'Warning! Hazardous respirable droplets may be formed when sprayed. Do not breathe spray or mist.',
    fr: 'Attention\u202f! Des gouttelettes respirables dangereuses peuvent se former lors de la pulvérisation. Ne pas respirer les aérosols ni les brouillards.',
  },
  EUH212: {
    de: 'Achtung! Bei der Verwendung kann gefährlicher lungengängiger Staub entstehen. Staub nicht einatmen.',
    en: 'Warning! Hazardous respirable dust may be formed when used. Do not breathe dust.',
    fr: 'Attention\u202f! Une poussière respirable dangereuse peut se former lors de l’utilisation. Ne pas respirer cette poussière.',
  },
  EUH380: {
    de: 'Kann beim Menschen endokrine Störungen verursachen.',
    en: 'May cause endocrine disruption in humans.',
    fr: 'Peut provoquer une perturbation endocrinienne chez l’être humain.',
  },
  EUH381: {
    de: 'Steht in dem Verdacht, beim Menschen endokrine Störungen zu verursachen.',
    en: 'Suspected of causing endocrine disruption in humans.',
    fr: 'Susceptible de provoquer une perturbation endocrinienne chez l’être humain.',
  },
  EUH401: {
    de: 'Zur Vermeidung von Risiken für Mensch und Umwelt die Gebrauchsanleitung einhalten.',
    en: 'To avoid risks to human health and the environment, comply with the instructions for use.',
    fr: 'Respectez les instructions d’utilisation afin d’éviter les risques pour la santé humaine et l’environnement.',
  },
  EUH430: {
    de: 'Kann endokrine Störungen in der Umwelt verursachen.',
    en: 'May cause endocrine disruption in the environment.',
    fr: 'Peut provoquer une perturbation endocrinienne dans l’environnement.',
  },
  EUH431: {
    de: 'Steht in dem Verdacht, endokrine Störungen in der Umwelt zu verursachen.',
    en: 'Suspected of causing endocrine disruption in the environment.',
    fr: 'Susceptible de provoquer une perturbation endocrinienne dans l’environnement.',
  },
  EUH440: {
    de: 'Anreicherung in der Umwelt und in lebenden Organismen einschließlich Menschen.',
    en: 'Accumulates in the environment and living organisms including in humans.',
    fr: 'S’accumule dans l’environnement et dans les organismes vivants, y compris chez l’être humain.',
  },
  EUH441: {
    de: 'Starke Anreicherung in der Umwelt und in lebenden Organismen einschließlich Menschen.',
    en: 'Strongly accumulates in the environment and living organisms including in humans.',
    fr: 'S’accumule fortement dans l’environnement et dans les organismes vivants, y compris chez l’être humain.',
  },
  EUH450: {
    de: 'Kann lang anhaltende und diffuse Verschmutzung von Wasserressourcen verursachen.',
    en: 'Can cause long-lasting and diffuse contamination of water resources.',
    fr: 'Peut provoquer une contamination durable et diffuse des ressources en eau.',
  },
  EUH451: {
    de: 'Kann sehr lang anhaltende und diffuse Verschmutzung von Wasserressourcen verursachen.',
    en: 'Can cause very long-lasting and diffuse contamination of water resources.',
    fr: 'Peut provoquer une contamination très durable et diffuse des ressources en eau.',
  },
} as const satisfies Record<string, Readonly<Record<'de' | 'en' | 'fr', string>>>;
