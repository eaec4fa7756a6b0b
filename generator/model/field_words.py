"""What people call fields and their values in other languages, as the schema calls them."""

from __future__ import annotations

from collections.abc import Container
from functools import cache

from generator.text.words import fold

#: Field, or value of a choice -> folded words, with "_" for spaces.
_WORDS = {
    "name": "bezeichnung titel title nom nombre nome naam namn navn nazwa",
    "summary": "kurzbeschreibung zusammenfassung untertitel resume resumen riassunto resumo"
    " samenvatting sammanfattning abstract tagline",
    "description": "beschreibung descripcion descrizione descricao beschrijving beskrivning opis",
    "year": "jahr grundungsjahr gegrundet annee ano anno jaar ar rok founded established"
    " anno_di_fondazione annee_de_creation",
    "country": "land staat pays pais paese kraj",
    "region": "bundesland kanton canton provinz province provincia state departement",
    "city": "ort stadt standort ville lieu ciudad citta cidade plaats stad by miasto town",
    "locations": "orte standorte lieux ubicaciones luoghi locais location places address adresse",
    "website": "webseite website homepage url site site_web sitio sitio_web web sito internet"
    " hjemmeside strona",
    "status": "zustand statut estado stato",
    "founders": "grunder grunderinnen fondateurs fondatrices fundadores fondatori oprichters"
    " grundare founder",
    "programs": "programme programmes programas programmi program",
    "program": "programm programme programa programma",
    "organizations": "organisationen organisations organizaciones organizzazioni",
    "organization": "organisation organizacion organizzazione verein trager veranstalter",
    "logo": "image img picture bild icon photo foto thumbnail",
    "tags": "schlagworter schlagworte stichworte etiquettes etiquetas mots_cles etichette keywords",
    "sources": "quellen quelle fuentes fonti fontes source",
    "category": "kategorie categorie categoria",
    "type": "art typ tipo",
    "kind": "art typ tipo type",
    "due": "fallig frist abgabe abgabefrist stichtag echeance date_limite plazo scadenza prazo",
    "starts": "beginn beginnt anfang debut inicio inizio start von",
    "ends": "ende endet fin fine fim end bis",
    "opens": "offnet ouverture apertura",
    "closes": "schliesst bewerbungsschluss einsendeschluss cloture cierre chiusura",
    "timezone": "zeitzone fuseau_horaire zona_horaria fuso_orario tz zone",
    "team_size": "mitarbeiter mitarbeitende beschaftigte employes effectif empleados dipendenti"
    " employees",
    "former_names": "fruhere_namen anciens_noms nombres_anteriores",
    "deadline": "frist abgabefrist stichtag echeance date_limite plazo scadenza prazo",
    "event": "veranstaltung termin evenement evento evenemang arrangement conference konferenz"
    " meeting workshop fair messe",
    "application_window": "bewerbungsphase bewerbungsfenster bewerbung candidature window",
    "cohort": "kohorte jahrgang batch cohorte coorte promotion",
    "active": "aktiv actif activo attivo ativo running",
    "acquired": "ubernommen verkauft aufgekauft rachete adquirida acquisito",
    "inactive": "inaktiv geschlossen aufgelost beendet ferme inactif closed dead defunct ended",
    "public": "borsennotiert cote listed",
    "confirmed": "bestatigt fest confirme",
    "cancelled": "abgesagt annule cancelado annullato",
    "tentative": "vorlaufig provisoire provisional geplant",
    # types of own fields
    "record": "reference relation ref verweis beziehung referencia",
    "text": "string str email mail phone telefon markdown html textarea",
    "number": "integer int float decimal zahl nombre numero year jahr percent prozent",
    "url": "link lien uri image bild file datei",
    "boolean": "ja/nein yes/no flag",
    "date": "datum fecha data datetime",
    "choice": "enum select auswahl",
    "money": "currency geld betrag price",
    # settings
    "label": "name title titel bezeichnung",
    "nouns": "label labels title plural many",
    "tag_families": "tags families taxonomies taxonomy",
    "license": "lizenz licence licencia licenza",
    "language": "sprache langue idioma lingua lang locale",
    "contact": "kontakt contacto contatto email",
    "base_url": "url website address adresse",
    "repository": "repo github",
    "reverse": "inverse inverse_name back backlink other_side",
    "one": "singular",
    "of": "target to kind ziel",
    "sort": "sortable sorted order",
    "filter": "filterable filtered facet",
    "required": "mandatory pflicht obligatory",
    "many": "multiple list several",
    "split": "separator delimiter sep trenner trennzeichen",
    "values": "options choices enum",
}
_PLACE = "a place has country, region and city only: remove it"
_NO_CONTACT = "records have no such field: give the address of a page, under website or links"
_SLUG = "the name of the file is the slug: remove it"
#: What people write that no record has -> what to do.
ELSEWHERE = {
    **dict.fromkeys(
        ("plz", "postleitzahl", "zip", "zip_code", "postcode", "postal_code", "code_postal", "cp",
         "street", "strasse", "straße", "rue", "calle"),
        _PLACE,
    ),
    **dict.fromkeys(
        ("email", "e_mail", "mail", "telefon", "phone", "tel", "telephone", "telefono", "fax",
         "correo"),
        _NO_CONTACT,
    ),
    **dict.fromkeys(("slug", "id", "key", "filename"), _SLUG),
}  # fmt: skip


def meant_word(word: str, known: Container[str]) -> str | None:
    """The known field, or value, that a word of another language means."""
    plain = fold(word).strip().replace(" ", "_").replace("-", "_")
    return next((name for name in _meanings().get(plain, ()) if name in known), None)


@cache
def _meanings() -> dict[str, list[str]]:
    """Word -> the fields and values that it means."""
    meanings: dict[str, list[str]] = {}
    for name, words in _WORDS.items():
        for word in words.split():
            meanings.setdefault(word, []).append(name)
    return meanings
