/** A drawing of the widget, in place of the real one until that is wanted. */
import type { Theme } from '@markwright/embed';
import { useId } from 'react';
import type { FirstMachine } from './code.ts';

interface Props {
  readonly theme: Theme;
  readonly mode: FirstMachine;
}

type Colors = Record<'bone' | 'paper' | 'ink' | 'graphite' | 'line' | 'edge' | 'stage' | 'accent' | 'onAccent', string>;

/** The theme `auto`: the colors of this page. */
const page: Omit<Colors, 'accent'> = {
  bone: 'var(--bone)',
  paper: 'var(--paper)',
  ink: 'var(--ink)',
  graphite: 'var(--graphite)',
  line: 'var(--line)',
  edge: 'var(--edge)',
  stage: 'var(--stage)',
  onAccent: 'var(--on-accent)',
};
const light: Omit<Colors, 'accent'> = {
  bone: '#f6f3ec',
  paper: '#ffffff',
  ink: '#1a1815',
  graphite: '#5e574d',
  line: '#e3ddd1',
  edge: '#8b8276',
  stage: '#f6f3ec',
  onAccent: '#ffffff',
};
const dark: Omit<Colors, 'accent'> = {
  bone: '#141311',
  paper: '#1d1b18',
  ink: '#f3efe7',
  graphite: '#a9a196',
  line: '#322e29',
  edge: '#7d756a',
  stage: '#2a2723',
  onAccent: '#141311',
};
const accents = {
  auto: { laser: 'var(--laser)', uv: 'var(--uv)', sublimation: 'var(--sublimation)' },
  light: { laser: '#c2410c', uv: '#5b3fd6', sublimation: '#0b6e75' },
  dark: { laser: '#fb8a4a', uv: '#a594ff', sublimation: '#4cc3cb' },
} as const;

/** The blank on the stage for each machine: its picture, its machine area in fractions, the color of the mark. */
const blanks = {
  laser: {
    picture: 'cutting-board-walnut',
    name: 'Walnut cutting board',
    area: { x: 0.169, y: 0.285, width: 0.661, height: 0.421 },
    mark: '#2a160b',
  },
  uv: {
    picture: 'sign-acrylic-walnut-base',
    name: 'Acrylic desk sign',
    area: { x: 0.179, y: 0.218, width: 0.643, height: 0.428 },
    mark: '#5b3fd6',
  },
  sublimation: {
    picture: 'mug-11oz-white',
    name: 'Mug 11 oz',
    area: { x: 0.157, y: 0.253, width: 0.432, height: 0.522 },
    mark: '#0b6e75',
  },
} as const;

const BAR = 56;
/** The width of “Nora & Finn” in Great Vibes, in units of the outline below. */
const WORDS_WIDTH = 978;
/** `wide` has the choices at the left of the stage, `narrow` has them under it, as on a phone. */
const layouts = {
  wide: {
    width: 960,
    height: 600,
    side: { x: 0, y: BAR, width: 280, height: 544 },
    foot: { x: 280, y: 536, width: 680 },
    blank: { x: 398, y: 74, size: 444 },
  },
  narrow: {
    width: 390,
    height: 660,
    side: { x: 0, y: 440, width: 390, height: 220 },
    foot: { x: 0, y: 376, width: 390 },
    blank: { x: 35, y: 56, size: 320 },
  },
} as const;
type Layout = (typeof layouts)[keyof typeof layouts];

export function WidgetPicture(props: Props) {
  return (
    <>
      <Picture {...props} layout={layouts.wide} className="hidden sm:block" />
      <Picture {...props} layout={layouts.narrow} className="sm:hidden" />
    </>
  );
}

function Picture({ theme, mode, layout, className }: Props & { layout: Layout; className: string }) {
  const colors: Colors = { ...{ auto: page, light, dark }[theme], accent: accents[theme][mode] };
  const { picture, name, area, mark } = blanks[mode];
  const { width, height, side, foot, blank } = layout;
  const clip = useId();
  const box = {
    x: blank.x + area.x * blank.size,
    y: blank.y + area.y * blank.size,
    width: area.width * blank.size,
    height: area.height * blank.size,
  };
  const words = (0.86 * box.width) / WORDS_WIDTH;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`The widget: ${name} with the words “Nora & Finn” on it, beside the product, its text and the cart button`}
      className={`h-auto w-full select-none ${className}`}
      fontSize="14"
    >
      <clipPath id={clip}>
        <rect width={width} height={height} rx="12" />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        <rect width={width} height={height} fill={colors.stage} />
        <rect width={width} height={BAR} fill={colors.paper} />
        <Bar mode={mode} colors={colors} width={width} />
        <image href={`/products/${picture}.svg`} x={blank.x} y={blank.y} width={blank.size} height={blank.size} />
        <rect {...box} fill="none" stroke={colors.accent} strokeDasharray="5 4" />
        <path
          d={NORA_AND_FINN}
          fill={mark}
          transform={`translate(${box.x + box.width * 0.07} ${box.y + box.height / 2 + 65 * words}) scale(${words})`}
        />
        <g transform={`translate(${side.x} ${side.y})`}>
          <Choices name={name} colors={colors} width={side.width} height={side.height} />
        </g>
        <g transform={`translate(${foot.x} ${foot.y})`}>
          <Foot colors={colors} width={foot.width} />
        </g>
      </g>
      <rect x="0.5" y="0.5" width={width - 1} height={height - 1} rx="12" fill="none" stroke={colors.line} />
    </svg>
  );
}

const modes = [
  ['laser', 'Laser', 72],
  ['uv', 'UV print', 88],
  ['sublimation', 'Sublimation', 108],
] as const;

function Bar({ mode, colors, width: across }: { mode: FirstMachine; colors: Colors; width: number }) {
  let x = 20;
  return (
    <>
      <rect x="18" y="10" width="272" height="36" rx="7" fill={colors.bone} />
      {modes.map(([value, label, width]) => {
        const at = x;
        x += width;
        return (
          <g key={value}>
            {value === mode && (
              <rect x={at} y="12" width={width} height="32" rx="6" fill={colors.paper} stroke={colors.line} />
            )}
            <text
              x={at + width / 2}
              y="33"
              textAnchor="middle"
              fontWeight="500"
              fill={value === mode ? colors.ink : colors.graphite}
            >
              {label}
            </text>
          </g>
        );
      })}
      <path d={`M0 ${BAR - 0.5}H${across}`} stroke={colors.line} />
    </>
  );
}

interface ChoicesProps {
  readonly name: string;
  readonly colors: Colors;
  readonly width: number;
  readonly height: number;
}

/** Draws the choices: product and text; font, size and bend too where there is room. */
function Choices({ name, colors, width, height }: ChoicesProps) {
  const inner = { x: 20, width: width - 40, rx: 6, fill: colors.paper, stroke: colors.edge };
  return (
    <>
      <rect width={width} height={height} fill={colors.paper} />
      <path d={height > 400 ? `M${width - 0.5} 0V${height}` : `M0 0.5H${width}`} stroke={colors.line} />
      <text x="20" y="32" fontWeight="600" fill={colors.ink}>
        Product
      </text>
      <text x="20" y="56" fontSize="13" fill={colors.ink}>
        {name}
      </text>
      <path d={`M0 82.500H${width}`} stroke={colors.line} />
      <text x="20" y="116" fontSize="13" fontWeight="500" fill={colors.graphite}>
        Upload Image
      </text>
      <text x="126" y="116" fontSize="13" fontWeight="500" fill={colors.ink}>
        Add Text
      </text>
      <path d={`M20 129.500H${width - 20}`} stroke={colors.line} />
      <path d="M126 129h54" stroke={colors.accent} strokeWidth="2" />
      <rect {...inner} y="150" height="50" stroke={colors.accent} />
      <text x="32" y="180" fill={colors.ink}>
        Nora &amp; Finn
      </text>
      {height > 400 && (
        <>
          <rect {...inner} y="214" height="38" />
          <text x="32" y="238" fill={colors.ink}>
            Great Vibes
          </text>
          <path d={`M${width - 44} 230l5 5 5-5`} fill="none" stroke={colors.graphite} strokeWidth="1.5" />
          <Slider y={284} name="Size" share={0.62} width={width} colors={colors} />
          <Slider y={320} name="Bend" share={0.5} width={width} colors={colors} />
        </>
      )}
    </>
  );
}

interface SliderProps {
  readonly y: number;
  readonly name: string;
  /** The position of the thumb, 0 to 1. */
  readonly share: number;
  readonly width: number;
  readonly colors: Colors;
}

function Slider({ y, name, share, width, colors }: SliderProps) {
  const [from, to] = [84, width - 24];
  const at = from + share * (to - from);
  return (
    <>
      <text x="20" y={y} fontSize="12" fill={colors.graphite}>
        {name}
      </text>
      <path d={`M${from} ${y - 4}H${to}`} stroke={colors.line} strokeWidth="2" />
      <path d={`M${from} ${y - 4}H${at}`} stroke={colors.accent} strokeWidth="2" />
      <circle cx={at} cy={y - 4} r="7" fill={colors.paper} stroke={colors.accent} strokeWidth="2" />
    </>
  );
}

/** Draws the quantity, the price and the cart button. */
function Foot({ colors, width }: { colors: Colors; width: number }) {
  return (
    <>
      <rect width={width} height="64" fill={colors.paper} />
      <path d={`M0 0.500H${width}`} stroke={colors.line} />
      <rect x="48" y="16" width="48" height="32" rx="6" fill={colors.paper} stroke={colors.edge} />
      <path d="M24 32h10M110 32h10M115 27v10" stroke={colors.ink} strokeWidth="1.5" />
      <text x="72" y="37" textAnchor="middle" fontSize="13" fill={colors.ink} className="font-mono">
        1
      </text>
      <text x="140" y="37" fontWeight="600" fill={colors.ink}>
        $38.00
      </text>
      <rect x={width - 126} y="12" width="106" height="40" rx="6" fill={colors.accent} />
      <text x={width - 73} y="37" textAnchor="middle" fontWeight="500" fill={colors.onAccent}>
        Add to cart
      </text>
    </>
  );
}

const NORA_AND_FINN =
  'M200 29Q185 29 178 22Q171 14 171 2Q171-6 175-18Q179-30 185-43Q191-57 198-71Q205-84 211-97Q217-109 221-119Q225-129 225-135Q225-140 222-142Q218-144 214-144Q207-144 199-140Q191-136 183-130Q174-123 167-116Q159-109 154-102Q144-90 134-75Q125-60 117-45Q110-30 103-17Q97-3 92 7Q90 10 87 12Q84 13 81 13Q78 13 76 12Q74 11 75 9Q79 2 85-8Q90-18 96-31Q102-44 108-58Q114-72 118-85Q123-98 125-109Q128-121 128-128Q128-142 121-148Q115-154 104-154Q94-154 81-149Q68-144 56-135Q44-126 34-114Q24-101 18-87Q11-73 11-58Q11-45 18-37Q24-28 36-28Q47-28 56-33Q65-37 71-44Q78-51 81-59Q85-66 85-73Q85-78 82-82Q79-86 72-86Q70-86 69-86Q68-86 67-86Q66-86 66-87Q66-88 66-88Q67-89 68-89Q70-90 72-90Q75-90 77-90Q85-90 89-86Q93-81 93-74Q93-67 89-59Q84-50 77-42Q69-34 59-29Q49-24 36-24Q26-24 18-29Q10-34 5-43Q-1-51-1-64Q-1-77 5-90Q11-103 21-116Q31-128 45-138Q58-148 74-153Q90-159 107-159Q116-159 123-156Q130-153 135-146Q139-139 139-127Q139-122 138-114Q136-107 133-99Q131-91 128-84Q125-76 122-70Q119-64 118-62Q122-68 127-76Q132-83 138-92Q144-100 150-106Q156-114 164-122Q172-130 181-137Q190-144 199-149Q209-153 219-153Q227-153 233-149Q239-145 239-134Q239-126 235-115Q231-105 224-93Q218-81 211-68Q204-55 197-43Q191-30 187-17Q183-5 183 7Q183 15 186 20Q189 24 195 24Q199 24 205 22Q207 21 208 20Q210 20 210 20Q213 20 213 22Q213 24 210 27Q206 30 200 29ZM255-70Q262-70 266-65Q270-60 271-53Q271-43 268-34Q267-32 267-31Q273-30 278-35Q283-41 287-51Q290-60 292-68Q295-77 296-84Q297-87 298-89Q300-90 302-90Q304-90 306-88Q309-85 309-81Q309-80 309-79Q308-78 308-77Q307-73 304-69Q300-65 297-64Q299-63 301-63Q304-63 306-63Q316-63 325-64Q325-63 325-63Q325-60 324-56Q322-52 321-49Q320-47 317-42Q315-38 312-32Q309-26 308-20Q306-14 306-10Q306-5 310-5Q313-5 316-9Q320-13 323-18Q327-24 330-30Q333-35 334-39Q337-39 337-37Q334-30 330-22Q325-14 320-8Q314-2 307 0Q307 0 305 0Q301 0 298-3Q294-6 294-13Q294-18 296-25Q299-32 303-39Q307-45 309-49Q309-51 309-52Q309-55 305-57Q300-59 293-59L291-52Q287-38 280-32Q274-25 265-27Q261-20 256-14Q251-8 245-4Q239 0 233 0Q225 0 221-5Q217-10 217-18Q216-26 220-36Q223-46 229-53Q234-61 241-66Q248-70 255-70ZM265-44Q266-49 266-54Q266-59 264-61Q262-64 258-64Q254-64 249-60Q245-57 241-51Q236-45 233-37Q231-30 229-24Q228-18 228-13Q229-9 230-7Q232-4 235-4Q240-4 245-8Q250-12 254-18Q258-24 260-28Q257-31 256-34Q254-37 254-39Q254-42 255-44Q257-47 260-47Q263-47 265-44ZM378 1Q373 1 370-2Q366-5 366-13Q366-16 367-19Q367-22 368-25Q366-22 363-18Q360-14 356-9Q352-5 348-2Q344 0 340 0Q335 0 332-4Q328-9 328-17Q328-25 332-34Q336-44 343-52Q349-61 358-66Q366-72 376-72Q380-72 385-70Q389-69 392-65Q393-64 393-62Q393-61 392-60Q391-59 390-60Q388-67 380-67Q377-67 373-64Q367-62 361-56Q355-49 350-42Q344-34 341-26Q338-18 338-12Q338-5 343-5Q347-5 352-10Q356-14 361-20Q365-26 369-33Q372-39 374-43Q377-48 380-52Q382-55 387-55Q389-55 392-55Q394-54 396-54Q390-48 386-40Q381-32 379-24Q376-16 376-11Q376-5 380-5Q384-5 387-8Q391-12 395-18Q398-23 401-29Q404-34 406-39Q407-39 408-38Q408-38 408-37Q408-36 408-35Q407-34 406-32Q404-29 402-23Q399-18 395-13Q391-7 387-3Q382 1 378 1ZM481 9Q464 9 453 4Q441-2 436-10Q430-19 430-29Q430-40 437-51Q444-62 457-70Q470-77 489-79Q486-83 485-88Q483-93 483-97Q483-108 489-116Q495-124 504-130Q513-135 524-138Q534-141 543-141Q549-141 555-140Q560-138 564-134Q568-131 568-124Q568-118 565-113Q561-109 556-109Q552-109 549-111Q547-114 547-118Q547-122 549-125Q552-127 556-127Q558-127 560-126Q562-125 563-124Q563-125 563-126Q563-131 559-134Q554-136 549-136Q541-136 531-132Q520-128 510-119Q507-116 503-111Q499-106 496-100Q494-94 494-88Q494-83 495-80Q498-80 502-80Q506-80 510-80Q516-80 519-78Q522-76 522-73Q522-71 519-69Q517-68 512-68Q505-68 500-71Q494-73 491-76Q478-75 469-67Q460-59 455-48Q450-37 450-26Q450-17 454-10Q457-3 464 2Q470 6 481 6Q492 6 501 3Q509-1 516-8Q522-14 526-21Q529-28 529-34Q529-39 526-42Q522-46 516-48Q510-49 503-49Q496-49 489-47Q482-45 477-42Q473-38 472-32Q472-31 472-31Q471-30 471-30Q471-25 475-21Q478-17 485-13Q487-12 487-10Q487-8 485-9Q474-15 469-22Q464-29 464-35Q464-44 473-50Q483-57 501-57L536-57Q540-57 546-58Q552-60 559-62Q565-65 570-69Q575-72 575-77Q575-80 573-83Q573-83 573-84Q573-85 574-85Q574-85 575-84Q578-80 578-75Q578-70 574-65Q570-61 564-57Q557-54 549-52Q541-50 532-50Q536-47 538-43Q540-39 540-35Q540-27 535-20Q531-12 523-6Q515 1 504 5Q494 9 481 9ZM512-71Q518-71 518-74Q518-75 517-76Q515-77 512-77Q511-77 508-77Q505-77 502-77Q499-77 497-77Q502-71 512-71ZM662 20Q640 20 624 13Q607 7 599-5Q590-17 590-32Q590-45 594-55Q598-65 606-72Q613-79 622-81Q623-81 623-80Q623-79 622-78Q612-72 606-61Q601-49 601-35Q601-19 609-8Q617 3 631 9Q645 15 662 15Q677 15 691 9Q704 4 715-5Q727-14 736-26Q745-38 751-51Q753-54 754-56Q755-59 757-62Q752-62 748-62Q744-63 743-63Q737-63 731-62Q725-61 720-59Q715-57 711-53Q710-52 710-51Q709-50 709-50Q708-50 707-51Q707-53 707-54Q712-64 720-68Q729-72 739-72Q741-72 748-71Q754-70 760-70Q769-87 777-102Q784-116 790-126Q776-131 760-134Q743-138 725-138Q711-138 700-134Q689-130 681-124Q673-118 669-110Q664-102 664-94Q664-85 668-80Q671-75 677-73Q682-70 688-70Q697-70 703-75Q709-79 712-84Q716-89 717-93Q718-96 719-96Q722-96 721-93Q720-84 715-78Q710-72 703-68Q696-65 688-65Q679-65 672-69Q664-73 659-81Q655-88 655-99Q655-108 659-117Q662-125 670-133Q678-140 690-144Q703-149 719-149Q731-149 743-146Q756-143 769-139Q781-135 794-131Q798-136 802-139Q805-142 809-142Q811-142 811-141Q812-140 812-140Q812-139 811-138Q811-137 809-137Q803-137 797-130Q811-125 825-121Q838-117 849-117Q858-117 861-119Q864-121 864-125Q864-127 865-127Q866-127 867-126Q868-124 868-122Q868-118 863-115Q857-112 848-112Q835-112 822-116Q809-120 794-125Q788-116 783-101Q778-87 771-69Q779-68 789-67Q799-67 805-67Q807-67 807-66Q807-64 802-63Q799-62 792-62Q785-61 777-61Q776-61 773-61Q771-61 768-61Q766-57 764-52Q762-47 760-42Q752-23 740-10Q728 2 714 9Q700 15 687 18Q673 20 662 20ZM811 0Q803 0 800-4Q797-9 797-14Q797-17 798-20Q799-23 800-26L813-60Q814-62 814-63Q814-65 813-67Q812-68 811-69L822-69Q825-69 827-68Q828-67 828-66Q828-65 826-62Q824-57 821-50Q818-43 814-35Q811-27 809-21Q806-14 806-11Q806-8 808-6Q809-4 812-4Q816-4 821-8Q825-11 828-16Q832-21 835-27Q838-33 840-39Q843-39 843-37Q841-32 837-25Q834-19 830-13Q826-8 821-4Q816 0 811 0ZM828-81Q826-81 824-83Q822-85 822-88Q822-92 825-94Q828-97 831-97Q834-97 836-95Q838-93 838-91Q838-87 835-84Q832-81 828-81ZM821 2Q828-13 835-27Q841-42 848-55Q852-62 855-65Q858-68 863-68Q864-68 866-67Q868-67 870-67Q871-67 871-67Q869-65 864-59Q860-53 855-44Q850-36 847-29Q851-34 855-38Q859-43 864-47Q869-51 876-56Q882-60 889-63Q895-66 899-66Q900-66 901-66Q901-66 899-62Q896-58 893-52Q890-46 886-39Q883-31 880-25Q878-18 877-14Q876-11 876-9Q876-6 877-5Q879-4 880-4Q884-4 888-7Q892-11 896-16Q899-21 902-27Q906-33 908-39Q910-39 910-37Q908-31 905-25Q901-18 897-13Q893-7 888-3Q883 1 877 1Q873 1 869-2Q865-5 865-12Q865-15 865-17Q866-20 867-23Q868-27 870-31Q873-36 878-44Q879-46 879-47Q880-48 880-49Q880-52 877-52Q876-52 872-50Q869-48 863-43Q858-38 852-29Q845-20 836-3Q834 0 833 0Q831 0 828 0Q826 0 824 1Q822 1 821 2ZM889 2Q896-13 902-27Q909-42 916-55Q920-62 923-65Q926-68 930-68Q932-68 934-67Q935-67 937-67Q938-67 939-67Q936-65 932-59Q927-53 923-44Q918-36 914-29Q918-34 922-38Q927-43 932-47Q936-51 943-56Q950-60 956-63Q963-66 966-66Q968-66 968-66Q968-66 966-62Q964-58 961-52Q957-46 954-39Q951-31 948-25Q945-18 944-14Q944-11 944-9Q944-6 945-5Q946-4 948-4Q951-4 955-7Q959-11 963-16Q967-21 970-27Q973-33 975-39Q978-39 978-37Q976-31 972-25Q969-18 965-13Q961-7 956-3Q951 1 945 1Q941 1 937-2Q932-5 932-12Q932-15 933-17Q933-20 934-23Q936-27 938-31Q940-36 945-44Q947-46 947-47Q947-48 947-49Q947-52 945-52Q943-52 940-50Q936-48 931-43Q926-38 919-29Q912-20 903-3Q902 0 900 0Q898 0 895 0Q893 0 892 1Q890 1 889 2Z';
