import { arrow } from '../drawing/annotation.ts';
import { darken, lighten } from '../drawing/color.ts';
import { circle, group, line, path, polygon, rect } from '../drawing/svg.ts';
import { letter } from '../lettering/letter.ts';
import { INK, outline, plate, TONES } from './plate.ts';

const FLOOR = 918;
const DOOR = { x: 560, y: 170, width: 430, height: FLOOR - 170 } as const;
const FAN = { x: DOOR.x + DOOR.width / 2, y: 700, r: 158 } as const;

/** The inside of a shell on test day: taped membrane, the fan in the front door, the gauge on its stand. */
export function drawBlowerDoor(): string {
  const sheet = plate();
  sheet.add(wall(), window(), door(), fan(), floor(), gauge(), airflow());
  return sheet.toSvg();
}

function wall(): string {
  const ground = rect(-10, 60, 1620, FLOOR - 60, { fill: TONES.membraneLight, ...outline });
  const seams = [330, 640].flatMap((y) => [
    rect(-10, y, 1620, 24, { fill: TONES.accent, ...outline, 'stroke-width': 1.4 }),
    line([-10, y + 18], [1610, y + 18], { stroke: '#ffffff', 'stroke-width': 2, 'stroke-opacity': 0.45 }),
  ]);
  const print = [225, 530, 830].flatMap((y, row) =>
    [0, 1, 2, 3].map((i) =>
      letter('DIFFRANA', {
        x: 40 + i * 430 - row * 130,
        y,
        size: 40,
        weight: 600,
        tracking: 0.1,
        fill: TONES.membrane,
        opacity: 0.35,
      }),
    ),
  );
  const battens = [112, 260, 450, 560, 760].map((y) =>
    group([
      rect(-10, y, 312, 34, { fill: TONES.wood, ...outline }),
      ...[52, 226].map((x) => circle(x, y + 17, 4, { fill: INK, 'fill-opacity': 0.7 })),
    ]),
  );
  return group([
    rect(-10, -10, 1620, 72, { fill: TONES.wood, ...outline }),
    line([-10, 40], [1610, 40], { stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.5 }),
    ground,
    ...print,
    ...seams,
    ...battens,
  ]);
}

/** A window with its frame taped to the membrane all round. */
function window(): string {
  const [x, y, w, h] = [1180, 250, 330, 350];
  return group([
    rect(x - 32, y - 32, w + 64, h + 64, { fill: TONES.accent, ...outline, 'stroke-width': 1.4 }),
    rect(x - 12, y - 12, w + 24, h + 24, { fill: lighten(TONES.wood, 0.1), ...outline }),
    rect(x + 20, y + 20, w - 40, h - 40, { fill: TONES.sky, ...outline }),
    path(
      `M${x + 20} ${y + 270}C${x + 110} ${y + 220} ${x + 200} ${y + 262} ${x + w - 20} ${y + 214}L${x + w - 20} ${y + h - 20}L${x + 20} ${y + h - 20}Z`,
      {
        fill: '#b9c9b4',
        stroke: INK,
        'stroke-width': 1.4,
      },
    ),
    rect(x + w / 2 - 13, y + 20, 26, h - 40, { fill: lighten(TONES.wood, 0.1), ...outline }),
    rect(x - 30, y + h + 14, w + 60, 20, { fill: TONES.wood, ...outline }),
  ]);
}

/** The adjustable frame, the taut panel and its see-through strip. */
function door(): string {
  const { x, y, width, height } = DOOR;
  const panel = '#7c2f2b';
  const folds = [
    [x + 34, y + 34, FAN.x - 90, FAN.y - 130],
    [x + width - 34, y + 34, FAN.x + 90, FAN.y - 130],
    [x + 34, y + height - 30, FAN.x - 130, FAN.y + 90],
    [x + width - 34, y + height - 30, FAN.x + 130, FAN.y + 90],
    [x + 40, FAN.y - 40, FAN.x - 158, FAN.y - 20],
    [x + width - 40, FAN.y - 40, FAN.x + 158, FAN.y - 20],
  ];
  return group([
    rect(x - 46, y - 46, width + 92, height + 54, { fill: TONES.accent, ...outline, 'stroke-width': 1.4 }),
    rect(x - 28, y - 28, width + 56, height + 36, { fill: TONES.wood, ...outline }),
    rect(x, y, width, height, { fill: TONES.steel, ...outline }),
    rect(x + 24, y + 24, width - 48, height - 30, { fill: panel, ...outline }),
    ...folds.map(([a = 0, b = 0, c = 0, d = 0]) =>
      line([a, b], [c, d], { stroke: darken(panel, 0.45), 'stroke-width': 2, 'stroke-opacity': 0.7 }),
    ),
    rect(x + 96, y + 84, width - 192, 150, { fill: '#cfdde0', 'fill-opacity': 0.85, ...outline }),
    path(`M${x + 110} ${y + 220}L${x + 190} ${y + 98}M${x + 140} ${y + 224}L${x + 214} ${y + 112}`, {
      stroke: '#ffffff',
      'stroke-width': 5,
      'stroke-opacity': 0.8,
    }),
    rect(x, y + 292, width, 22, { fill: lighten(TONES.steel, 0.25), ...outline }),
    ...[x + 10, x + width - 10].map((cx) => circle(cx, y + 303, 14, { fill: TONES.dark, ...outline })),
  ]);
}

function fan(): string {
  const { x, y, r } = FAN;
  const blades = Array.from({ length: 7 }, (_, i) =>
    path(
      `M${x} ${y}C${x + 26} ${y - 62} ${x + 74} ${y - 92} ${x + 64} ${y - 124}C${x + 26} ${y - 138} ${x - 8} ${y - 112} ${x} ${y}Z`,
      {
        fill: i % 2 ? '#59656d' : '#6b7780',
        stroke: INK,
        'stroke-width': 1.6,
        transform: `rotate(${(i * 360) / 7} ${x} ${y})`,
      },
    ),
  );
  const guard = [0.32, 0.5, 0.68, 0.86].map((share) =>
    circle(x, y, r * share, { fill: 'none', stroke: '#e7ebec', 'stroke-width': 2.4 }),
  );
  const spokes = Array.from({ length: 8 }, (_, i) => {
    const turn = (i * Math.PI) / 4 + 0.2;
    return line(
      [x + Math.cos(turn) * 30, y + Math.sin(turn) * 30],
      [x + Math.cos(turn) * (r - 8), y + Math.sin(turn) * (r - 8)],
      {
        stroke: '#e7ebec',
        'stroke-width': 2.4,
      },
    );
  });
  return group([
    circle(x + 16, y + 18, r + 30, { fill: '#16090a', 'fill-opacity': 0.35 }),
    circle(x, y, r + 30, { fill: TONES.dark, ...outline }),
    circle(x, y, r + 12, { fill: '#cfd6d9', ...outline }),
    circle(x, y, r, { fill: '#20292e', ...outline }),
    ...blades,
    ...guard,
    ...spokes,
    circle(x, y, 40, { fill: TONES.accent, ...outline }),
    circle(x, y, 14, { fill: lighten(TONES.accent, 0.4) }),
    rect(x - 90, y + r + 22, 180, FLOOR - y - r - 26, { fill: TONES.dark, ...outline }),
  ]);
}

/** Manometer on a tripod, one tube to the outside through the panel. */
function gauge(): string {
  const [x, y] = [1112, 640];
  return group([
    path(
      `M${x + 56} ${y + 150}L${x + 56} ${FLOOR - 60}M${x + 56} ${FLOOR - 150}L${x - 10} ${FLOOR + 22}M${x + 56} ${FLOOR - 150}L${x + 122} ${FLOOR + 22}M${x + 56} ${FLOOR - 150}L${x + 66} ${FLOOR + 44}`,
      {
        fill: 'none',
        stroke: INK,
        'stroke-width': 8,
        'stroke-linecap': 'round',
      },
    ),
    path(`M${x + 30} ${y + 150}C${x - 10} ${y + 270} ${x - 80} ${y + 240} ${FAN.x + 150} ${FAN.y + 96}`, {
      fill: 'none',
      stroke: '#2b62a3',
      'stroke-width': 6,
    }),
    path(`M${x + 86} ${y + 150}C${x + 130} ${y + 290} ${x + 230} ${y + 300} ${x + 250} ${FLOOR + 20}`, {
      fill: 'none',
      stroke: '#54773a',
      'stroke-width': 6,
    }),
    rect(x - 26, y - 20, 164, 172, { fill: '#f2efe8', ...outline, rx: 10 }),
    rect(x - 8, y, 128, 74, { fill: '#c9d6c2', ...outline, rx: 4 }),
    letter('50', { x: x + 56, y: y + 45, size: 50, weight: 600, anchor: 'middle', fill: INK }),
    letter('Pa', { x: x + 108, y: y + 64, size: 20, weight: 500, anchor: 'end', fill: INK }),
    ...[0, 1, 2].map((i) =>
      circle(x + 12 + i * 44, y + 112, 13, { fill: i === 1 ? TONES.accent : TONES.steel, ...outline }),
    ),
  ]);
}

function floor(): string {
  const boards = Array.from({ length: 17 }, (_, i) => {
    const far = i * 100;
    return line([far, FLOOR], [(far - 800) * 1.5 + 800, 1080], {
      stroke: INK,
      'stroke-width': 1.4,
      'stroke-opacity': 0.5,
    });
  });
  return group([
    polygon(
      [
        [-10, FLOOR],
        [DOOR.x - 28, FLOOR],
        [DOOR.x - 28, FLOOR + 8],
        [DOOR.x + DOOR.width + 28, FLOOR + 8],
        [DOOR.x + DOOR.width + 28, FLOOR],
        [1610, FLOOR],
        [1610, 1080],
        [-10, 1080],
      ],
      {
        fill: '#d8cbb2',
        ...outline,
        'fill-opacity': 0.96,
      },
    ),
    ...boards,
    polygon(
      [
        [DOOR.x - 10, FLOOR + 8],
        [DOOR.x + DOOR.width + 10, FLOOR + 8],
        [DOOR.x + DOOR.width + 70, FLOOR + 56],
        [DOOR.x - 30, FLOOR + 56],
      ],
      { fill: INK, 'fill-opacity': 0.1 },
    ),
  ]);
}

/** Air leaves the house through the fan. */
function airflow(): string {
  return group([
    arrow([352, 700], [478, 700], INK, 5),
    arrow([372, 788], [478, 768], INK, 4),
    arrow([372, 612], [478, 632], INK, 4),
  ]);
}
