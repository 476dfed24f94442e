"""Which language a text is in, by its commonest words.

A few dozen words make up half of any running text, so counting them is enough, is ten times cheaper than a trained model,
and needs no data beyond this page. Words that several languages share count for each of them. "" when unsure: a wrong
language would stem the text wrongly, none does no harm.
"""

import re
from collections import defaultdict

SAMPLE = 4_000  # characters; more do not change the answer
FEWEST = 3  # words that must be known
_LEAD = 1.7  # times as many as the next language
_SHARE = 0.06  # of all words: below it the text is a list of names and numbers

_COMMON = {
    "de": (
        "der die das und ist in den von zu mit sich des auf für im nicht ein eine einer eines dem als auch es an werden aus "
        "er hat dass sie nach wird bei oder um am sind noch wie einem über einen so zum war haben nur vor zur bis mehr durch "
        "man sein wurde sowie gemäß wir ihr ihre unter kann gegen vom wenn aber diese dieser beim uhr straße absatz satz"
    ),
    "en": (
        "the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one "
        "you were all her she there would their we him been has when who will no more if out so what about into than its only "
        "can may shall any other such your our do how"
    ),
    "fr": (
        "le la les de des du et est en un une que qui dans pour pas au aux sur par plus ne se ce il elle sont avec été cette "
        "ou son ses mais nous vous leur comme être a été fait ces deux sans entre aussi dont où"
    ),
    "nl": (
        "de het een en van in is dat op te zijn met voor niet aan er die ook als maar om bij door over naar uit of worden wordt "
        "werd deze dit heeft hebben kan nog al tot geen meer wij hun zich onder tegen na zoals"
    ),
    "it": (
        "il lo la gli le di del della dei delle e è in un una che per con non si da dal dalla al alla nel nella sono come più ma "
        "anche o questo questa suo sua loro essere stato ha hanno tra sul sulla"
    ),
    "es": (
        "el la los las de del y en un una que es por con no para se su al lo como más pero sus le o este esta sí porque entre "
        "cuando muy sin sobre también me hasta hay donde han fue ser son ha"
    ),
    "pt": (
        "o a os as de do da dos das e em um uma que é por com não para se na no nas nos ao mais como mas foi sua seu ou ser "
        "quando muito há também já está são pelo pela até isso entre"
    ),
    "pl": (
        "w i na z do się nie jest że to od za o jak dla przez po jako oraz ale jego tym ze są które który która być był była "
        "może lub przy tego czy tak co ich już pod"
    ),
    "cs": (
        "a v na se je že s z do o k i ve to pro jako za by po od ale jsou při která který které byl bylo být nebo jeho jejich "
        "podle jen tak také mezi před pod"
    ),
    "da": (
        "og i at det er en til af på der de med for den som ikke et har om var fra kan vil være ved han men så hun eller blev "
        "også efter skal deres denne dette under mellem hvor"
    ),
    "sv": (
        "och i att det är en på som av för med den till inte har de om ett men var sig så från vid kan när även eller efter "
        "ska denna detta under mellan hade blev där"
    ),
    "tr": (
        "ve bir bu da de için ile olarak olan çok daha gibi en kadar sonra ne ya ancak veya ise her değil oldu olduğu var "
        "tarafından göre üzere"
    ),
    "ru": "и в не на что я с он как это по но из у за от так же для бы его к о все при или был была были до только",
    "uk": "і в не на що з він як це по але із у за від так для його до та про або був була були при під які є",
}
_OF: dict[str, tuple[str, ...]] = {}
for _language, _words in _COMMON.items():
    for _word in set(_words.split()):
        _OF[_word] = (*_OF.get(_word, ()), _language)
_WORD = re.compile(r"[^\W\d_]{2,}")  # a single letter numbers a list in any language


def language_of(text: str) -> str:
    """ISO 639-1, or "" when unsure."""
    words = _WORD.findall(text[:SAMPLE].lower())
    scores: dict[str, float] = defaultdict(float)
    known = 0
    for word in words:
        languages = _OF.get(word)
        if languages:
            known += 1
            for language in languages:
                scores[language] += 1 / len(languages) + (0.5 if len(languages) == 1 else 0)
    if known < FEWEST or known < _SHARE * len(words):
        return ""
    ranked = sorted(scores, key=scores.__getitem__, reverse=True)
    if len(ranked) > 1 and scores[ranked[0]] < _LEAD * scores[ranked[1]]:
        return ""
    return ranked[0]
