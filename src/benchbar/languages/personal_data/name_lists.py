"""Given names that Russian and English texts use most."""

from __future__ import annotations

_RU_CONSONANT = (
    "иван пётр петр павел александр алексан антон артём артем богдан борис вадим валентин виктор владимир владислав вячеслав "
    "глеб герман давид даниил данил денис егор захар игнат иннокентий кирилл клим константин леонид лев макар максим марк марат "
    "мирон михаил назар никон олег осип платон потап прохор ренат ринат роберт родион роман ростислав рудольф руслан рустам савелий "
    "семён семен станислав степан стас тарас тимофей тимур тихон трофим фёдор федор феликс филипп эдуард эрик эльдар юлиан ярослав "
    "ян яков азамат айрат ахмед магомед мурат шамиль ильдар камиль наиль рамиль рашид фарид артур эмиль гаврил самуил всеволод святослав зураб тигран армен ашот эмин рафаэль тагир заур аслан тимур булат равиль гурам вахтанг остап тарас арсен гарик юсуф"
)
_RU_SHORT_I = "алексей андрей аркадий анатолий василий арсений леонтий макарий валерий виталий геннадий георгий григорий дмитрий евгений николай сергей юрий тимофей савелий иннокентий матвей елисей моисей аполлинарий фаддей терентий"
_RU_A = (
    "алла анна антонина алина алиса альбина ангелина анжела арина валентина варвара вера вероника галина дарина диана дина ева екатерина "
    "елена елизавета жанна зинаида зоя инна ирина карина кира клавдия кристина лариса лидия лилия любовь людмила майя маргарита марина "
    "мария надежда наталья наталия нина оксана олеся ольга полина раиса регина римма светлана снежана софия софья тамара татьяна таисия "
    "ульяна фаина эльвира эмма юлия яна ярослава дарья анастасия евгения виктория валерия александра василиса милана милена злата стефания "
    "гульнара айгуль лейла эльмира зульфия роза нелли ксения агата никита илья фома лука кузьма савва"
)
_LAST_A = {"а": "аыиеуой", "я": "яиеюей"}


def _forms() -> frozenset[str]:
    """The names in all their cases."""
    found: set[str] = set()
    for name in _RU_CONSONANT.split():
        found |= {name + ending for ending in ("", "а", "у", "ом", "е")}
    found |= {"льва", "льву", "львом", "льве", "павла", "павлу", "павлом", "павле", "петра", "петру", "петром", "петре"}
    found |= {"игорь", "игоря", "игорю", "игорем", "игоре"}
    for name in _RU_SHORT_I.split():
        found |= {name} | {name[:-1] + ending for ending in ("я", "ю", "ем", "е", "и")}
    for name in _RU_A.split():
        stem = name[:-1]
        if name.endswith("ь"):
            found |= {name, stem + "и", name + "ю"}
        elif name.endswith("а"):
            found |= {stem + ending for ending in ("а", "ы", "и", "е", "у", "ой", "ою")}
        else:
            found |= {stem + ending for ending in ("я", "и", "е", "ю", "ей", "ёй")}
    return frozenset(found)


RU_GIVEN = _forms()

_EN = """
    aaron abigail adam adrian agnes aisha alan albert alejandro alex alexander alexandra alice alicia alison allison amanda amber
    amelia amy ana anastasia andre andrea andrew angela angelica anita ann anna anne annette anthony antonio ariana arjun arthur ashley
    audrey austin barbara beatrice ben benjamin bernard beth bethany betty beverly bill billy blake bob bonnie brad bradley brandon
    brenda brent brett brian bridget brittany bruce bryan caleb calvin cameron candice carl carla carlos carmen carol caroline
    carolyn carrie catherine cathy cecilia chad charlene charles charlotte chelsea cheryl chloe chris christian christina christine
    christopher cindy claire clara clarence claude claudia clifford cody colin colleen connor corey courtney craig crystal curtis
    cynthia daisy dale damian dan daniel danielle darren daryl dave david dawn dean deborah debra denise dennis derek derrick diana diane
    diego dolores dominic don donald donna dora doris dorothy doug douglas duncan dustin dwayne dylan earl eddie edgar edith edward edwin
    eileen elaine eleanor elena eli elijah elizabeth ella ellen elsie emily emma emmanuel eric erica erik erin ernest esther ethan eugene
    eva evan evelyn faith fatima felicia felix fernando fiona florence frances francesca francis francisco frank fred freddie frederick
    gabriel gabriela gail gareth gary gavin gemma gene geoffrey george georgia gerald geraldine gilbert gina gladys glen glenn gloria
    gordon grace graham greg gregory gwen hannah harold harriet harry harvey hassan hayley hazel heather hector heidi helen henry
    herbert holly howard hugh hugo ian ibrahim imani ingrid irene iris isaac isabel isabella isaiah ivan jack jackie jackson jacob
    jacqueline jade jaime jake jamal james jamie jan jane janet janice jared jasmine jason javier jay jean jeff jeffrey jenna jennifer
    jenny jeremy jerome jerry jesse jessica jessie jesus jill jim jimmy joan joann joanna joanne joe joel john johnny jon jonathan jordan
    jorge jose joseph josephine joshua joyce juan juanita judith judy julia julian julie june justin kaitlyn karen karl kate katherine
    kathleen kathryn kathy katie kayla keith kelly ken kenneth kevin kim kimberly kirk kristen kristin kristina kurt kyle lance larry
    laura lauren laurie lawrence leah lee leila leo leon leonard leroy leslie lewis liam lillian linda lindsay lindsey lisa lloyd logan
    lois lola lori lorraine louis louise lucas lucia lucy luis luke lydia lynn mabel madison mae malcolm malik manuel marc marcia marcus
    margaret maria mariam marian marie marilyn mario marion marjorie mark marlene marsha martha martin marvin mary mason mathew
    matilda matthew maureen maurice max maxine megan melanie melinda melissa melvin mercedes meredith michael michele michelle miguel
    mike mildred milton miriam mitchell mohamed mohammed molly monica monique morgan muhammad muriel myra nadia nancy naomi natalie
    natasha nathan nathaniel neil nelson nicholas nick nicolas nicole nina noah noel nora norma norman olga oliver olivia omar oscar
    owen paige pamela patricia patrick paul paula pauline pearl pedro peggy penelope perry pete peter philip phillip phoebe phyllis
    priya rachel ralph ramon randall randy raul ray raymond rebecca regina reginald rene renee rhonda ricardo richard rick ricky rita
    rob robert roberta roberto robin rodney roger roland ron ronald rosa rosalind rose rosemary ross roy ruben ruby russell ruth ryan
    sabrina sally sam samantha samuel sandra sara sarah scott sean sebastian sergio seth shane shannon sharon shaun shawn sheila
    shelley sherry shirley sidney simon sofia sonia sophia sophie spencer stacey stacy stanley stella stephanie stephen steve
    steven stuart sue susan suzanne sylvia tamara tanya tara teresa terrance terrence terry thelma theodore theresa thomas tiffany tim
    timothy tina todd tom tommy toni tony tracy travis trevor tristan troy tyler tyrone valerie vanessa vera vernon veronica vicki
    victor victoria vincent viola violet virginia vivian wade wallace walter wanda warren wayne wendy wesley wilfred william willie
    winston yolanda yvonne zachary zoe wei ming ling dmitri sergei yuki hiroshi ahmed ali carlotta giulia marco paolo pierre anika ravi
    sanjay deepak sunita kwame chidi ngozi adaeze olumide
    lars klaus hans jurgen sven olaf hermione ingmar astrid bjorn nils erika greta heinrich wolfgang dieter ursula gunther fritz johann
    johannes matthias stefan tobias lukas felix anton franz josef giovanni luca matteo alessandro chiara elisa sofie camille chloe amelie
    antoine jacques philippe guillaume francois claudette margot noemie pablo alvaro ignacio rafael santiago valentina ximena camila
    mateus joao luiz thiago beatriz fernanda larissa tomasz piotr agnieszka katarzyna pawel jan andrzej krzysztof magdalena ondrej jiri
    zoltan istvan laszlo agnes ioana mihai andrei elena dimitris nikos yannis eleni fatma ayse mehmet mustafa yusuf omar khalid layla
    noura zainab abdullah amir reza leila farid rohan aditya vikram neha pooja anjali lakshmi suresh ramesh mei xiaoming jun hao yan jing
    hiroshi kenji yuko haruka takeshi minho jisoo thi linh anh oleksandr iryna taras mykola svetlana tatiana olena dmitry vladimir boris
    igor nikolai yuri pavel mikhail alexei fitzwilliam rosalie ophelia beatrix imogen rupert nigel alistair hamish callum niamh siobhan
    aoife cormac declan seamus gwyneth rhys dewi percival lionel edmund cedric horace archibald clementine harriet winifred mildred esme
"""
EN_GIVEN = frozenset(_EN.split())
_EN_FAMILY = """
    smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson taylor jackson
    lee perez thompson white harris sanchez clark ramirez lewis robinson walker young allen wright torres nguyen hill flores adams
    nelson baker rivera campbell mitchell roberts gomez phillips evans turner diaz parker cruz edwards collins reyes morris morales
    murphy cook rogers gutierrez ortiz cooper peterson bailey kelly kim cox ward richardson watson chavez wood james bennett mendoza
    ruiz hughes alvarez castillo sanders patel myers ross foster jimenez powell jenkins perry russell sullivan butler
    henderson barnes fisher vasquez simmons jordan patterson hamilton graham reynolds griffin wallace moreno hayes bryant herrera
    singh khan ahmed hussain ali begum kaur sharma gupta kumar tran pham huynh hoang chen wang li zhang liu yang huang zhao wu zhou xu sun
    zhu gao park choi jung sato suzuki tanaka watanabe ivanov petrov smirnov kowalski novak nowak schmidt mueller weber fischer rossi
    silva santos oliveira costa fernandes okafor okonkwo adeyemi mensah cohen levy goldberg friedman murray macdonald stewart
    """
EN_FAMILY = frozenset(_EN_FAMILY.split())
