"""Writes a seeded registry of any size in the project's content schema.

    python benchmarks/generate.py OUT --projects N [--seed S]

The same arguments always give the same bytes.  Popularity of tags, places, programs and
organizations falls like Zipf's law; programs and organizations grow with the square root of the
projects.  No YAML library is used: every value is written plain where both YAML 1.1 and 1.2 read it
as a string, and quoted elsewhere.
"""
# ruff: noqa: SIM905  (lists of words are read more easily as text)

from __future__ import annotations

import argparse
import bisect
import datetime
import os
import random
import re
import sys
import unicodedata

MAX_PROJECTS = 1_000_000
MAX_EVENTS = 2_000
TABLE = 1 << 16  # entries of a table of weighted choices
FIRST_YEAR, LAST_YEAR = 2005, 2026

TOPICS = """ai agents analytics artificial-intelligence-safety audio augmented-reality b2b banking
batteries biotech blockchain bookkeeping carbon-removal chatbots chips climate cloud collaboration
commerce community compliance computer-vision construction creator-economy crm customer-support
data-labeling data-science databases delivery dental-care design-tools developer-tools devops
diagnostics digital-health drones edge-computing education electric-vehicles email energy-storage
events-and-ticketing family fashion feedback food fraud-detection fundraising games genomics
geospatial hardware hiring home-care identity insurance-claims internet-of-things inventory language
legal-work logistics machine-learning maps marketplaces materials mental-health mobility music
observability open-source payments payroll pets privacy procurement real-time robotics sales-tools
search semiconductors sensors simulation sports synthetic-biology travel video wearables""".split()

INDUSTRIES = """software fintech healthcare education retail consumer media energy manufacturing
agriculture transportation real-estate construction government insurance security telecommunications
hospitality food-and-beverage automotive aerospace biotechnology pharmaceuticals medical-devices
human-resources legal marketing logistics supply-chain semiconductors robotics chemicals mining
water waste forestry sports arts nonprofit defense""".split()

STAGES = ["idea", "early", "growth", "mature"]

TECH_ROOTS = """python rust go typescript java kotlin swift cpp ruby elixir scala haskell julia dart
php postgres mysql sqlite redis kafka spark flink arrow duckdb clickhouse cassandra mongodb neo4j
qdrant elastic kubernetes docker nomad terraform ansible linux android ios wasm webgl webgpu react
vue svelte angular flutter electron graphql grpc rest openapi""".split()
TECH_ENDS = ["", "-sdk", "-cloud", "-edge"]

LOCATIONS = [  # country, region, city; most popular first
    ("US", "CA", "San Francisco"),
    ("US", "NY", "New York"),
    ("GB", "England", "London"),
    ("IN", "KA", "Bengaluru"),
    ("US", "MA", "Boston"),
    ("DE", "Berlin", "Berlin"),
    ("FR", "Île-de-France", "Paris"),
    ("US", "WA", "Seattle"),
    ("CA", "ON", "Toronto"),
    ("US", "TX", "Austin"),
    ("SG", None, "Singapore"),
    ("IL", None, "Tel Aviv"),
    ("US", "CA", "Los Angeles"),
    ("BR", "SP", "São Paulo"),
    ("US", "CA", "Palo Alto"),
    ("NL", "NH", "Amsterdam"),
    ("CN", "SH", "Shanghai"),
    ("SE", None, "Stockholm"),
    ("IN", "MH", "Mumbai"),
    ("US", "CO", "Denver"),
    ("US", "IL", "Chicago"),
    ("CH", "ZH", "Zürich"),
    ("MX", "CMX", "Ciudad de México"),
    ("AU", "NSW", "Sydney"),
    ("JP", "Tokyo", "Tokyo"),
    ("NG", "LA", "Lagos"),
    ("ES", "CT", "Barcelona"),
    ("DE", "BY", "München"),
    ("KR", None, "Seoul"),
    ("CA", "BC", "Vancouver"),
    ("IN", "DL", "New Delhi"),
    ("US", "FL", "Miami"),
    ("ID", "JK", "Jakarta"),
    ("KE", None, "Nairobi"),
    ("CO", "DC", "Bogotá"),
    ("FI", None, "Helsinki"),
    ("IE", None, "Dublin"),
    ("EE", None, "Tallinn"),
    ("ES", "MD", "Madrid"),
    ("AR", None, "Buenos Aires"),
    ("DK", None, "Odense"),
    ("AU", "VIC", "Melbourne"),
    ("PT", None, "Lisboa"),
    ("CL", "RM", "Santiago"),
    ("PL", "MZ", "Warszawa"),
    ("US", "GA", "Atlanta"),
    ("NO", None, "Oslo"),
    ("AT", None, "Wien"),
    ("CA", "QC", "Montréal"),
    ("ZA", "WC", "Cape Town"),
    ("EG", None, "Cairo"),
    ("AE", None, "Dubai"),
    ("IT", "MI", "Milano"),
    ("VN", None, "Ho Chi Minh City"),
    ("TR", None, "İstanbul"),
    ("UA", None, "Kyiv"),
    ("PK", "PB", "Lahore"),
    ("NZ", None, "Auckland"),
    ("GH", None, "Accra"),
    ("PE", None, "Lima"),
    ("US", None, None),
    ("IN", None, None),
    ("GB", "Scotland", None),
    ("US", "UT", None),
]

SYLLABLES = """a al am an ar ba be bi bo bri ca ce cla co cy da de di do dra du e el en er fa fe fi
flo fo ga ge gra ha he hy i in io is ja jo ka ke ki ko la le li lo lu ma me mi mo mu na ne ni no nu
o ola on or pa pe pi pla po qua ra re ri ro ru sa se si so sta su ta te ti to tra tri u ul um va ve
vi vo wa we wi xa xi ya yo za ze zi zo""".split()
ENDINGS = ["", "", "", "", "ly", "io", "ra", "ix", "um", "on", "ia", "os", "eo", "en", "va", "lo"]
SUFFIXES = [
    "Labs",
    "AI",
    "Health",
    "Systems",
    "Bio",
    "Energy",
    "Robotics",
    "Works",
    "Data",
    "Pay",
    "Cloud",
    "Studio",
    "Foods",
    "Mobility",
    "Networks",
    "Learning",
    "Security",
    "Space",
    "Care",
    "Home",
    "Logistics",
    "Games",
]
ADJECTIVES = "Bright Quiet Open Silver North Green Swift Deep Honest Wild Clear First".split()
THINGS = (
    "Harbor Meadow Forge Lantern River Orchard Signal Compass Ledger Canyon Atlas Beacon".split()
)
ACCENTS = str.maketrans("aeioucnsy", "áèïöüçñšý")
NATIVE = [
    ("Αθηνά", "athina"),
    ("Ήλιος", "ilios"),
    ("Заря", "zarya"),
    ("Сокол", "sokol"),
    ("Мир", "mir"),
    ("东方", "dongfang"),
    ("星云", "xingyun"),
    ("清泉", "qingquan"),
    ("青山", "aoyama"),
    ("光", "hikari"),
]

FIRST_NAMES = """Ada Alan Amina Ana Arjun Beatriz Carlos Chidi Chloé Dmitri Elena Emre Fatima Grace
Hana Henrik Ines Ivan Jamal Jürgen Kavya Kofi Leila Linh Luca María Mei Nadia Noah Oluwaseun Omar
Priya Rania Rosa Samir Sofia Tomás Wei Yuki Zoë""".split()
LAST_NAMES = """Abe Adeyemi Ahmed Andersen Bauer Chen Costa Diaz Dubois Evans Fischer García Gupta
Haddad Hansen Ito Johnson Kaya Kim Kowalski Lopez Martin Mensah Müller Nguyen Novak Okafor Olsen
Patel Pereira Rossi Santos Sato Silva Singh Smith Tanaka Wang Yilmaz Zhang""".split()

VERBS = """builds automates simplifies connects measures tracks forecasts secures speeds rethinks
organizes replaces verifies schedules finances monitors predicts shares""".split()
QUALITIES = """simple reliable open affordable programmable private modular secure predictable
accurate flexible low-cost real-time collaborative automatic local portable transparent""".split()
OBJECTS = """invoices shipments sensors warehouses clinics classrooms contracts payments batteries
pipelines reports crops apartments vehicles orders claims experiments prescriptions tickets
documents forecasts datasets tests meetings repairs deliveries inspections budgets tutoring
translations playlists recipes""".split()
AUDIENCES = """hospitals farmers teachers builders restaurants researchers freelancers landlords
manufacturers banks students developers parents designers airlines insurers nurses museums lawyers
drivers scientists retailers cities charities pharmacies schools utilities architects""".split()
PLACES_OF_USE = [
    "in the field",
    "at the edge",
    "on any phone",
    "in one place",
    "across borders",
    "without paperwork",
    "in minutes",
    "on existing hardware",
    "at every step",
    "with one interface",
    "from end to end",
    "at a fraction of the cost",
]
REASONS = [
    "because spreadsheets stop working at that size",
    "so that nobody has to copy numbers by hand",
    "so a small team can do the work of a large one",
    "while keeping every record under its owner's control",
    "and gives each decision a trail that auditors accept",
    "and pays for itself within the first season",
    "where older tools need weeks of setup",
    "with results that anybody can check",
    "using models trained on public data only",
    "and shares what it learns with the whole network",
]
NOTES = [
    'Customers call it "the missing half" of their daily work.',
    "Pricing: a flat fee per site, no contract.",
    "The founders met at a university lab & kept the first prototype running for two years.",
    "Support is answered by the people who write the code; there is no call centre.",
    "It's used by teams of three and by teams of three thousand.",
    "Rated #1 by its users' own survey in its field.",
    "The core is open source, the hosted service is not.",
    "Every export is a plain file - no lock-in.",
]

CATEGORIES = {
    "accelerator": "Accelerator",
    "university": "University",
    "venture-fund": "Venture fund",
    "corporate": "Corporate",
    "nonprofit": "Nonprofit",
    "public-agency": "Public agency",
}
PROGRAM_TYPES = {
    "accelerator": "Accelerator",
    "incubator": "Incubator",
    "fellowship": "Fellowship",
    "grant": "Grant",
    "competition": "Competition",
}
SEASONS = [("Winter", 1), ("Spring", 4), ("Summer", 6), ("Fall", 9)]
ZONES = [
    "America/Los_Angeles",
    "America/New_York",
    "Europe/London",
    "Europe/Berlin",
    "Asia/Kolkata",
    "Asia/Singapore",
    "UTC",
    "AoE",
]

PLAIN = re.compile(r"[^\W\d_](?:[\w ,.()&/+'-]*[\w.)+])?")
WORDS_OF_YAML = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


def scalar(text: str) -> str:
    """Text of one line as a YAML scalar that every YAML version reads as the same string."""
    if PLAIN.fullmatch(text) and text.lower() not in WORDS_OF_YAML:
        return text
    return "'" + text.replace("'", "''") + "'"


def slugify(text: str) -> str:
    """ASCII letters and digits in lower case, every run of others a `-`."""
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", text).strip("-")


def label(tag: str) -> str:
    """What a reader calls a tag."""
    return tag.replace("-", " ").capitalize()


def table(items: list, power: float = 1.0, offset: float = 2.0) -> list:
    """`TABLE` entries in which the item of rank r takes a share of 1/(r + offset)^power, and at
    least one entry.
    """
    total, cumulative = 0.0, []
    for rank in range(len(items)):
        total += (rank + offset) ** -power
        cumulative.append(total)
    out = [items[bisect.bisect(cumulative, (i + 0.5) / TABLE * total)] for i in range(TABLE)]
    for rank, item in enumerate(items):
        out[-1 - rank] = item
    return out


class Writer:
    """Writes records as `<kind>/<first two characters>/<slug>.yaml`; makes each folder once."""

    def __init__(self, root: str):
        self.root, self.made, self.files, self.bytes = root, set(), 0, 0

    def write(self, kind: str, slug: str, text: str) -> None:
        folder = f"{self.root}/{kind}/{slug[:2].rstrip('-')}"
        if folder not in self.made:
            os.makedirs(folder, exist_ok=True)
            self.made.add(folder)
        self.put(f"{folder}/{slug}.yaml", text)

    def put(self, path: str, text: str) -> None:
        data = text.encode()
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.write(handle, data)
        os.close(handle)
        self.files += 1
        self.bytes += len(data)


class Names:
    """Gives names, and slugs that no record or alias of the same kind has."""

    def __init__(self, rng: random.Random):
        self.random, self.taken, self.next = rng.random, set(), {}

    def pick(self, items: list):
        return items[int(self.random() * len(items))]

    def slug(self, wanted: str) -> str:
        slug = wanted
        while slug in self.taken:
            number = self.next[wanted] = self.next.get(wanted, 1) + 1
            slug = f"{wanted}-{number}"
        self.taken.add(slug)
        return slug

    def word(self) -> str:
        pick = self.pick
        word = (
            pick(SYLLABLES)
            + pick(SYLLABLES)
            + pick(SYLLABLES if self.random() < 0.6 else ENDINGS)
            + pick(ENDINGS)
        )
        return word.capitalize()

    def company(self) -> tuple[str, str]:
        """A name and the text its slug is made of."""
        shape = self.random()
        if shape < 0.55:
            name = latin = self.word()
        elif shape < 0.84:
            name = latin = f"{self.word()} {self.pick(SUFFIXES)}"
        elif shape < 0.90:
            name = latin = f"{self.pick(ADJECTIVES)} {self.pick(THINGS)} {self.pick(SUFFIXES)}"
        elif shape < 0.93:
            name = latin = f"{self.word()}.{self.pick(['ai', 'io', 'co', 'dev'])}"
        elif shape < 0.95:
            name = latin = f"{self.word()} & {self.word()}"
        elif shape < 0.96:
            name = latin = f"{int(self.random() * 900) + 100}"
        elif shape < 0.993:
            latin = self.word() + " " + self.pick(SUFFIXES)
            name = latin.translate(ACCENTS)
        else:
            native, roman = self.pick(NATIVE)
            end = self.pick(SUFFIXES)
            name, latin = f"{native} {end}", f"{roman}-{end}"
        return name, slugify(latin)


def registry_text() -> str:
    """registry.yaml: three closed tag families and an open one, categories and types."""
    lines = [
        "name: Benchmark registry",
        "description: Made by benchmarks/generate.py; nothing in it is real.",
        "base_url: https://registry.example",
        "license: CC0-1.0",
        "page_size: 50",
        "tag_families:",
    ]
    for family, tags in (("topic", TOPICS), ("industry", INDUSTRIES), ("stage", STAGES)):
        lines += [f"  {family}:", f"    label: {family.capitalize()}", "    tags:"]
        lines += [f"      {tag}: {scalar(label(tag))}" for tag in sorted(tags)]
    lines += [
        "  tech:",
        "    label: Technology",
        "    description: An open family.",
        "organization_categories:",
    ]
    lines += [f"  {slug}: {text}" for slug, text in CATEGORIES.items()]
    lines.append("program_types:")
    lines += [f"  {slug}: {text}" for slug, text in PROGRAM_TYPES.items()]
    return "\n".join(lines) + "\n"


class Generator:
    """Everything drawn from one seeded source of random numbers, in one fixed order."""

    def __init__(self, root: str, projects: int, seed: int):
        self.rng = random.Random(f"{seed}/{projects}")
        self.random = self.rng.random
        self.out, self.count = Writer(root), projects
        root_of = projects**0.5
        self.organization_count = max(1, round(0.79 * root_of)) if projects else 0
        self.program_count = (
            max(2, round(1.9 * root_of), self.organization_count) if projects else 0
        )
        self.event_count = min(MAX_EVENTS, projects // 50)
        tech = [root + end for end in TECH_ENDS for root in TECH_ROOTS]
        self.topics, self.industries, self.tech = table(TOPICS), table(INDUSTRIES), table(tech)
        self.stages = table(["early", "growth", "idea", "mature"], 1.2)
        self.statuses = table(["active", "inactive", "acquired", "public"], 2, 1)
        self.locations = table([self.location(*place) for place in LOCATIONS])

    @staticmethod
    def location(country: str, region: str | None, city: str | None) -> str:
        parts = [f"country: {scalar(country)}"]
        parts += [f"region: {scalar(region)}"] if region else []
        parts += [f"city: {scalar(city)}"] if city else []
        return "- " + "\n  ".join(parts) + "\n"

    def pick(self, items: list):
        return items[int(self.random() * len(items))]

    def some(self, items: list, count: int) -> list:
        """Up to `count` different ones of a table, in the order drawn."""
        return list(dict.fromkeys(items[int(self.random() * TABLE)] for _ in range(count)))

    def sentence(self, subject: str) -> str:
        pick = self.pick
        return (
            f"{subject} {pick(VERBS)} {pick(QUALITIES)} {pick(OBJECTS)} for {pick(AUDIENCES)}"
            f" {pick(PLACES_OF_USE)}, {pick(REASONS)}."
        )

    def summary(self) -> str:
        pick, verb = self.pick, self.pick(VERBS)
        text = (
            f"{verb.capitalize()} {pick(QUALITIES)} {pick(OBJECTS)} for {pick(AUDIENCES)} "
            f"{pick(PLACES_OF_USE)}"
        )
        roll = self.random()
        if roll < 0.15:
            return f"{text}: {pick(QUALITIES)} {pick(OBJECTS)} too."
        if roll < 0.6:
            return f"{text}, {pick(REASONS)}."
        return (
            f"{text}, with {pick(QUALITIES)} {pick(OBJECTS)} and {pick(OBJECTS)} for "
            f"{pick(AUDIENCES)} included."
        )

    def description(self, name: str) -> str:
        """One line, a folded block or two paragraphs; about 350 characters."""
        first, second, third = self.sentence(name), self.sentence("The product"), self.pick(NOTES)
        if self.random() < 0.5:
            second += " " + self.sentence("A second product")
        roll = self.random()
        if roll < 0.4:
            return f"description: {scalar(f'{first} {second} {third}')}\n"
        if roll < 0.75:
            return f"description: >-\n  {first}\n  {second}\n  {third}\n"
        return f"description: |-\n  {first} {second}\n\n  {third}\n"

    def run(self) -> None:
        os.makedirs(self.out.root, exist_ok=True)
        self.out.put(f"{self.out.root}/registry.yaml", registry_text())
        if self.count:
            self.write_organizations()
            self.write_programs()
            self.write_projects()
            self.write_events()

    def write_organizations(self) -> None:
        names, self.organizations = Names(self.rng), []
        kinds = table(list(CATEGORIES))
        for _ in range(self.organization_count):
            word = names.word()
            category = kinds[int(self.random() * TABLE)]
            end = {
                "accelerator": "Accelerator",
                "university": "University",
                "venture-fund": "Ventures",
                "corporate": "Group",
                "nonprofit": "Foundation",
                "public-agency": "Agency",
            }[category]
            slug = names.slug(slugify(word))
            year = FIRST_YEAR + int(self.random() * 12)
            self.organizations.append((slug, word, year))
            self.out.write(
                "organizations",
                slug,
                (
                    f"name: {scalar(f'{word} {end}')}\nsummary: {scalar(self.summary())}\n"
                    f"category: {category}\n"
                    f"year: {year}\nlocations:\n"
                    f"{self.locations[int(self.random() * TABLE)]}website: https://{slug}.example/\n"
                ),
            )

    def write_programs(self) -> None:
        """One program for each organization; the others are its cohorts, more of them in later
        years.
        """
        names, self.cohorts, self.programs = Names(self.rng), [], []
        types = table(list(PROGRAM_TYPES))
        parents = []
        for organization, word, year in self.organizations:
            kind = types[int(self.random() * TABLE)]
            slug = names.slug(f"{organization}-{kind}")
            parents.append((slug, organization, f"{word} {PROGRAM_TYPES[kind]}", kind))
            self.programs.append((slug, organization))
            self.out.write(
                "programs",
                slug,
                (
                    f"name: {scalar(parents[-1][2])}\nsummary: {scalar(self.summary())}\n"
                    f"kind: program\ntype: {kind}\n"
                    f"organization: {organization}\nyear: {year}\nwebsite: https://{organization}.example/{kind}\n"
                ),
            )
        ranked, done = table(parents), set()
        for _ in range(self.program_count - len(parents)):
            slug = None
            while slug is None or slug in done:
                parent, (season, month) = ranked[int(self.random() * TABLE)], self.pick(SEASONS)
                year = LAST_YEAR - int((LAST_YEAR - FIRST_YEAR + 1) * self.random() ** 1.6)
                slug = f"{parent[0]}-{season.lower()}-{year}"
            done.add(slug)
            starts = datetime.date(year, month, 1 + int(self.random() * 28))
            ends = starts + datetime.timedelta(days=80 + int(self.random() * 30))
            self.cohorts.append((slug, parent[1], year))
            self.programs.append((slug, parent[1]))
            self.out.write(
                "programs",
                slug,
                (
                    f"name: {scalar(f'{parent[2]} {season} {year}')}\nkind: cohort\n"
                    f"type: {parent[3]}\n"
                    f"organization: {parent[1]}\nparent: {parent[0]}\nyear: {year}\n"
                    f"starts: {starts}\nends: {ends}\n"
                ),
            )
        if not self.cohorts:
            self.cohorts = [(slug, organization, LAST_YEAR) for slug, organization in self.programs]

    def write_projects(self) -> None:
        names = Names(self.rng)
        cohorts, organizations = (
            table(self.cohorts),
            table([slug for slug, _, _ in self.organizations]),
        )
        rand, pick, write = self.random, self.pick, self.out.write
        for _ in range(self.count):
            name, wanted = names.company()
            slug = names.slug(wanted)
            roll = rand()
            chosen = self.some(cohorts, 1 if roll < 0.8 else 2 if roll < 0.96 else 3)
            parts = [f"name: {scalar(name)}\nsummary: {scalar(self.summary())}\n"]
            if rand() < 0.92:
                parts.append(self.description(name))
            if rand() < 0.5:
                parts.append(f"status: {self.statuses[int(rand() * TABLE)]}\n")
            topics = self.some(self.topics, 1 + int(rand() * 3))
            industries = self.some(self.industries, 1 if rand() < 0.8 else 2)
            parts.append(
                f"year: {chosen[0][2]}\ntags:\n  topic: [{', '.join(topics)}]\n"
                f"  industry: [{', '.join(industries)}]\n"
            )
            if rand() < 0.9:
                parts.append(f"  stage: [{self.stages[int(rand() * TABLE)]}]\n")
            count = int(rand() * 4)
            if count:
                parts.append(f"  tech: [{', '.join(self.some(self.tech, count))}]\n")
            parts.append(f"programs: [{', '.join(program for program, _, _ in chosen)}]\n")
            if rand() < 0.2:
                parts.append(f"organizations: [{organizations[int(rand() * TABLE)]}]\n")
            roll = rand()
            if roll > 0.07:
                places = self.some(self.locations, 1 if roll < 0.9 else 2)
                parts.append(f"locations:\n{''.join(places)}")
            if rand() < 0.12:
                parts.append("remote: true\n")
            parts.append(f"website: https://{slug}.example/\n")
            roll = rand()
            if roll < 0.7:
                parts.append(f"team_size: {1 + int(rand() * rand() * 120)}\n")
            people = [
                "- " + f"{pick(FIRST_NAMES)} {pick(LAST_NAMES)}\n"
                for _ in range(1 + int(rand() * 3))
            ]
            parts.append(f"founders:\n{''.join(people)}")
            if rand() < 0.5:
                parts.append(
                    f"links:\n  code: https://code.example/{slug}\n  blog: https://blog.example/{slug}\n"
                )
            if rand() < 0.3:
                parts.append(f"sources:\n- https://news.example/{chosen[0][2]}/{slug}\n")
            if rand() < 0.02:
                former, wanted = names.company()
                parts.append(
                    f"former_names:\n- {scalar(former)}\naliases: [{scalar(names.slug(wanted))}]\n"
                )
            write("projects", slug, "".join(parts))

    def write_events(self) -> None:
        names = Names(self.rng)
        programs = table(self.programs)
        for _ in range(self.event_count):
            program, organization = programs[int(self.random() * TABLE)]
            day = datetime.date(2022, 1, 1) + datetime.timedelta(
                days=int(self.random() * 365 * 5 + 200)
            )
            zone, roll = self.pick(ZONES), self.random()
            status = (
                f"status: {self.pick(['tentative', 'extended', 'cancelled'])}\n"
                if self.random() < 0.1
                else ""
            )
            refs = (
                f"program: {program}\norganization: {organization}\n" if self.random() < 0.9 else ""
            )
            if roll < 0.4:
                title, opens = "Applications", day - datetime.timedelta(days=45)
                body = (
                    f"kind: application_window\nopens: {opens}\ncloses: '{day} 23:59'\n"
                    f"timezone: {zone}\n"
                )
            elif roll < 0.7:
                title, body = "Deadline", f"kind: deadline\ndue: {day}\n"
            else:
                title = self.pick(["Demo Day", "Open House", "Founder Dinner", "Office Hours"])
                body = (
                    f"kind: event\nstarts: '{day} 18:00'\nends: '{day} 21:30'\ntimezone: {zone}\n"
                )
            name = f"{title} {self.pick(SEASONS)[0]} {day.year} {self.pick(THINGS)}"
            slug = names.slug(slugify(name))
            self.out.write(
                "events",
                slug,
                (
                    f"name: {scalar(name)}\nsummary: {scalar(self.summary())}\n{body}{status}{refs}"
                    f"website: https://events.example/{slug}\n"
                ),
            )


def generate(root: str, projects: int, seed: int = 1) -> tuple[int, int]:
    """Write a registry into the folder `root`, which must be new or empty; gives its files and
    bytes.
    """
    if not 0 <= projects <= MAX_PROJECTS:
        raise ValueError(f"the number of projects must be 0 to {MAX_PROJECTS}")
    if os.path.isdir(root) and os.listdir(root):
        raise ValueError(f"{root} is not empty")
    generator = Generator(root, projects, seed)
    generator.run()
    return generator.out.files, generator.out.bytes


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out")
    parser.add_argument("--projects", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        files, size = generate(options.out, options.projects, options.seed)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{files} files, {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
