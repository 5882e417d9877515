"""Other languages: the commonest slots, and statements in their own words."""

import pytest

from app.domain.memories import Polarity
from app.extraction.language import language_of
from tests.unit.extraction.speech import extracted, found_in, said, slots_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I live in a small house by the sea", "en"),
        ("Ich wohne in einem kleinen Haus", "de"),
        ("Vivo en una casa pequeña con mi perro", "es"),
        ("J'habite dans une petite maison", "fr"),
        ("我住在一个小房子里", "zh"),
        ("私は東京に住んでいます", "ja"),
        ("Я живу в Москве", "ru"),
        ("أنا أعيش في القاهرة", "ar"),
        ("मैं दिल्ली में रहता हूँ", "hi"),
        ("12345", "en"),
    ],
)
def test_a_language_is_told_by_script_and_common_words(text: str, code: str):
    assert language_of(text) == code


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich heiße Jonas und ich wohne in Berlin.", [("profile.name", "Jonas"), ("profile.location", "Berlin")]),
        ("Ich arbeite bei Siemens.", [("profile.employer", "Siemens")]),
        ("Ich mag keinen Kaffee.", [("preference.dislike", "Kaffee")]),
        ("Me llamo Ana y vivo en Sevilla.", [("profile.name", "Ana"), ("profile.location", "Sevilla")]),
        ("No me gusta el ajo.", [("preference.dislike", "el ajo")]),
        ("Je m'appelle Luc et j'habite à Lyon.", [("profile.name", "Luc"), ("profile.location", "Lyon")]),
        ("J'adore le fromage.", [("preference.like", "fromage")]),
        ("Wir sind vor zwei Monaten von Köln nach Leipzig gezogen.", [("profile.location", "Leipzig")]),
        ("Meine Schwester Lena arbeitet als Hebamme.", [("relation.sister.name", "Lena")]),
        ("Erdnüsse vertrage ich überhaupt nicht.", [("health.allergy", "Erdnüsse")]),
        ("Trabajo de fontanero desde hace diez años.", [("profile.occupation", "fontanero")]),
        ("Ya no como carne.", [("diet.avoid", "carne")]),
        ("Mi hermana Lucía vive en Cádiz.", [("relation.sister.name", "Lucía")]),
        ("J'habite à Nantes depuis septembre dernier.", [("profile.location", "Nantes")]),
        ("Mon mari s'appelle Bastien et il est boulanger.", [("relation.husband.name", "Bastien")]),
        ("Je ne supporte pas le bruit.", [("preference.dislike", "bruit")]),
        ("Mein Hund heißt Bello.", [("pet.dog.name", "Bello")]),
        ("Mi gata se llama Luna y tiene tres años.", [("pet.cat.name", "Luna")]),
        ("Notre chien s'appelle Filou.", [("pet.dog.name", "Filou")]),
        ("我家的猫叫小黑。", [("pet.cat.name", "小黑")]),
        ("我上个月从北京搬到了成都。", [("profile.location", "成都")]),
        ("我叫李明，我住在上海。", [("profile.name", "李明"), ("profile.location", "上海")]),
        ("我对花生过敏。", [("health.allergy", "花生")]),
        ("我的上司叫赵雅琳。", [("relation.boss.name", "赵雅琳")]),
    ],
)
def test_the_commonest_slots_are_found(text: str, expected: list[tuple[str, str]]):
    assert slots_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Mein Budget für die Reise liegt bei 2000 Euro.",
        "Ayer compré un coche nuevo para mi hija.",
        "Nous avons acheté une maison à Nantes.",
        "私は東京に住んでいます。",
        "Я живу в Москве и работаю инженером.",
        "मैं दिल्ली में रहता हूँ और पढ़ाता हूँ",
    ],
)
def test_d04_a_statement_stays_in_its_own_words(text: str):
    (item,) = found_in(text)
    assert item.content == text
    assert item.language == language_of(text)


def test_d04_no_english_word_enters_a_slot_of_another_language():
    assert [item.content for item in found_in("Ich wohne in Graz.")] == ["Der Nutzer wohnt in Graz."]
    assert [item.content for item in found_in("我住在上海。")] == ["用户住在上海。"]
    (named,) = extracted(said("Me gusta el mar.", speaker="Ana")).candidates
    assert named.content == "A Ana le gusta: el mar."


def test_a_chinese_statement_is_about_its_speaker_and_dated():
    (item,) = extracted(said("昨天我去了北京出差。", speaker="李明")).candidates
    assert item.content == "昨天李明去了北京出差。"
    assert item.event_at is not None
    assert item.event_at.date().isoformat() == "2023-05-23"


@pytest.mark.parametrize(
    "text",
    [
        "Wie geht es dir?",
        "Danke, das hilft mir sehr!",
        "¿Dónde vives?",
        "Merci beaucoup !",
        "你好吗？",
        "谢谢你的帮助。",
        "请帮我写一封信。",
    ],
)
def test_chatter_in_other_languages_leaves_nothing(text: str):
    assert found_in(text) == []


@pytest.mark.parametrize(
    ("text", "value", "content"),
    [
        ("Ich arbeite nicht mehr bei Siemens.", "Siemens", "Der Nutzer arbeitet nicht mehr bei Siemens."),
        ("Ya no trabajo en Iberia.", "Iberia", "El usuario ya no trabaja en Iberia."),
        ("Je ne travaille plus chez Renault.", "Renault", "L'utilisateur ne travaille plus chez Renault."),
        ("我不在华为工作了。", "华为", "用户不再在华为工作。"),
    ],
)
def test_an_end_is_heard_in_each_language(text: str, value: str, content: str):
    (item,) = found_in(text)
    assert (item.key, item.value, item.polarity, item.content) == (
        "profile.employer",
        value,
        Polarity.NEGATIVE,
        content,
    )


@pytest.mark.parametrize(
    ("text", "slot", "kept"),
    [
        ("Mi hermana Lucía vive cerca de Cádiz.", ("relation.sister.name", "Lucía"), "vive cerca de Cádiz"),
        ("Mon mari s'appelle Bastien et il est boulanger.", ("relation.husband.name", "Bastien"), "il est boulanger"),
        ("李婷是我的舅妈，其教育背景是高中。", ("relation.aunt.name", "李婷"), "其教育背景是高中"),
    ],
)
def test_what_a_sentence_says_beside_its_slot_is_kept_in_its_own_words(text: str, slot: tuple[str, str], kept: str):
    found = found_in(text)
    assert (found[0].key, found[0].value) == slot
    assert [kept in item.content for item in found if item.key is None] == [True]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("我表姐46岁了。", "relation.cousin.age", "46"),
        ("我妈妈的生日是在4月16日。", "relation.mother.birthday", "4月16日"),
        ("我表哥是个快递员。", "relation.cousin.occupation", "快递员"),
        ("我妹妹住在苏州。", "relation.sister.location", "苏州"),
    ],
)
def test_relatives_have_slots_in_chinese(text: str, key: str, value: str):
    assert slots_of(text) == [(key, value)]
