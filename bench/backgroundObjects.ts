/** The drawings of `backgroundPictures.ts` as SVG: what is clear, or finer than a network sees. */

export type Random = () => number;

/** Returns a number of the standard normal distribution. */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());

const draw = (body: string, width = 600, height = 600): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${body}</svg>`;

/** A seed head: hundreds of stalks from a core, each with a crown of fine hairs. */
export function seedHead(random: Random): string {
  const parts: string[] = [];
  parts.push(
    `<path d="M300 300 C 306 420 296 500 ${290 + 20 * random()} 600" stroke="#8a9a55" stroke-width="7" fill="none"/>`,
  );
  const count = 220 + Math.floor(60 * random());
  for (let s = 0; s < count; s++) {
    const angle = 2 * Math.PI * random();
    const reach = 250 * Math.sqrt(random() * 0.92 + 0.08);
    const [x, y] = [300 + reach * Math.cos(angle), 300 + reach * Math.sin(angle)];
    const gray = 205 + Math.floor(50 * random());
    const color = `rgb(${gray},${gray},${gray - 8})`;
    parts.push(
      `<path d="M${300 + 30 * Math.cos(angle)} ${300 + 30 * Math.sin(angle)}L${x} ${y}" stroke="${color}" stroke-width="${0.7 + 0.6 * random()}"/>`,
    );
    const crown = 16 + Math.floor(8 * random());
    for (let h = 0; h < crown; h++) {
      const turn = angle + (h / (crown - 1) - 0.5) * 2.6;
      const length = 22 + 14 * random();
      parts.push(
        `<path d="M${x} ${y}L${x + length * Math.cos(turn)} ${y + length * Math.sin(turn)}" stroke="${color}" stroke-width="${0.5 + 0.5 * random()}"/>`,
      );
    }
  }
  parts.push('<circle cx="300" cy="300" r="38" fill="#7a6a40"/>');
  return draw(parts.join(''));
}

/** A head and shoulders with loose hair. */
export function hair(color: string): (random: Random) => string {
  return (random) => {
    const parts = [
      '<path d="M120 600 Q150 450 300 445 Q450 450 480 600Z" fill="#4a6d8c"/>',
      '<rect x="260" y="380" width="80" height="90" rx="30" fill="#d9a585"/>',
      `<ellipse cx="300" cy="255" rx="150" ry="165" fill="${color}"/>`,
    ];
    for (let s = 0; s < 900; s++) {
      const angle = Math.PI * (0.95 + 1.1 * random());
      const [x, y] = [300 + 120 * Math.cos(angle), 250 + 130 * Math.sin(angle)];
      const spread = 40 + 70 * random() ** 2;
      const [ex, ey] = [
        x + spread * Math.cos(angle) + 30 * normal(random),
        y + 120 * random() + spread * Math.sin(angle),
      ];
      const light = 0.75 + 0.5 * random();
      const shade = [1, 3, 5].map((at) =>
        Math.min(255, Math.round(light * Number.parseInt(color.slice(at, at + 2), 16))),
      );
      parts.push(
        `<path d="M${x} ${y}Q${x + 40 * Math.cos(angle)} ${y + 40 * Math.sin(angle)} ${ex} ${ey}" stroke="rgb(${shade})" stroke-width="${0.6 + 1.1 * random()}" fill="none"/>`,
      );
    }
    parts.push(
      '<ellipse cx="300" cy="290" rx="105" ry="125" fill="#e2b091"/>',
      '<circle cx="262" cy="270" r="9" fill="#222"/><circle cx="338" cy="270" r="9" fill="#222"/>',
      '<path d="M265 350Q300 372 335 350" stroke="#a04a45" stroke-width="8" fill="none"/>',
    );
    return draw(parts.join(''));
  };
}

/** A loupe of clear glass: a solid ring and handle, and a lens through which the ground shows. */
export function lens(random: Random): string {
  const clear = 0.15 + 0.2 * random();
  return draw(`<defs><radialGradient id="g" cx=".4" cy=".35"><stop offset="0" stop-color="#fff" stop-opacity="${clear * 0.6}"/>
<stop offset=".8" stop-color="#cfe4ee" stop-opacity="${clear}"/><stop offset="1" stop-color="#8fb0c0" stop-opacity="${clear * 2}"/></radialGradient>
<linearGradient id="m" x2="1" y2="1"><stop offset="0" stop-color="#6f7680"/><stop offset="1" stop-color="#23272d"/></linearGradient></defs>
<path d="M385 385L560 560" stroke="#5b3417" stroke-width="52" stroke-linecap="round"/>
<circle cx="240" cy="240" r="186" fill="url(#g)"/><circle cx="240" cy="240" r="198" fill="none" stroke="url(#m)" stroke-width="34"/>
<path d="M120 190Q150 115 225 100" stroke="#fff" stroke-opacity=".85" stroke-width="14" stroke-linecap="round" fill="none"/>`);
}

/** A stemmed glass, half full: the wine is dense, the glass is clear with bright and dark outlines. */
export function wineGlass(wine: string): (random: Random) => string {
  return (random) => {
    const clear = 0.14 + 0.16 * random();
    return draw(
      `<defs><linearGradient id="b"><stop offset="0" stop-color="#e8f2f6" stop-opacity="${clear * 2.4}"/>
<stop offset=".2" stop-color="#fff" stop-opacity="${clear}"/><stop offset=".8" stop-color="#dbe8ee" stop-opacity="${clear}"/>
<stop offset="1" stop-color="#b5c8d2" stop-opacity="${clear * 2.4}"/></linearGradient></defs>
<path d="M70 20Q40 300 200 330Q360 300 330 20Z" fill="url(#b)"/>
<path d="M64 160Q70 310 200 322Q330 310 336 160Z" fill="${wine}" fill-opacity=".92"/>
<ellipse cx="200" cy="160" rx="136" ry="16" fill="${wine}" fill-opacity=".75"/>
<path d="M70 20Q40 300 200 330Q360 300 330 20" fill="none" stroke="#eef5f8" stroke-opacity=".8" stroke-width="7"/>
<ellipse cx="200" cy="20" rx="130" ry="13" fill="none" stroke="#eef5f8" stroke-opacity=".75" stroke-width="5"/>
<path d="M190 328L186 560Q120 566 90 590H310Q280 566 214 560L210 328Z" fill="#d5e2e8" fill-opacity=".62"/>
<path d="M100 60Q90 180 130 250" stroke="#fff" stroke-opacity=".7" stroke-width="12" fill="none" stroke-linecap="round"/>`,
      400,
    );
  };
}

/** A colored bottle: tinted glass with a label, a cap and highlights. */
export function bottle(tint: string): (random: Random) => string {
  return (random) => {
    const dense = 0.5 + 0.2 * random();
    return draw(
      `<path d="M75 20H125V170Q180 200 180 270V560Q180 590 150 590H50Q20 590 20 560V270Q20 200 75 170Z" fill="${tint}" fill-opacity="${dense}"/>
<path d="M75 20H125V170Q180 200 180 270V560Q180 590 150 590H50Q20 590 20 560V270Q20 200 75 170Z" fill="none" stroke="${tint}" stroke-width="9" stroke-opacity=".92"/>
<rect x="68" y="4" width="64" height="46" rx="6" fill="#b08a3e"/><rect x="24" y="330" width="152" height="150" fill="#f2ead8"/>
<rect x="46" y="365" width="108" height="14" fill="#5a3d22"/><rect x="60" y="400" width="80" height="8" fill="#8a7a60"/>
<path d="M44 250Q40 420 46 550" stroke="#fff" stroke-opacity=".6" stroke-width="11" fill="none" stroke-linecap="round"/>`,
      200,
    );
  };
}

/** A tumbler with a drink and ice, clear above. */
export function tumbler(random: Random): string {
  const clear = 0.16 + 0.14 * random();
  return draw(
    `<path d="M30 20L60 470H340L370 20Z" fill="#e6f0f5" fill-opacity="${clear}"/>
<path d="M43 215L60 455H340L357 215Z" fill="#b8641a" fill-opacity=".88"/>
<rect x="120" y="170" width="100" height="100" rx="14" transform="rotate(14 170 220)" fill="#f2f8fb" fill-opacity=".6"/>
<path d="M30 20L60 470H340L370 20" fill="none" stroke="#f2f7fa" stroke-opacity=".82" stroke-width="10"/>
<path d="M60 470H340V430H58Z" fill="#dfe9ee" fill-opacity=".7"/>
<ellipse cx="200" cy="20" rx="170" ry="14" fill="none" stroke="#f2f7fa" stroke-opacity=".75" stroke-width="6"/>`,
    400,
    490,
  );
}

export function monogram(color: string): () => string {
  return () =>
    draw(`<g fill="none" stroke="${color}"><circle cx="300" cy="300" r="270" stroke-width="12"/>
<circle cx="300" cy="300" r="246" stroke-width="3"/><path d="M170 430V170L300 360L430 170V430" stroke-width="34"/>
<path d="M120 470H480" stroke-width="5"/></g><g fill="${color}"><circle cx="300" cy="115" r="16"/><circle cx="300" cy="505" r="10"/></g>`);
}

/** A bubble: hardly there in its middle, brighter to its rim, with two highlights. */
export function bubble(random: Random): string {
  const clear = 0.05 + 0.1 * random();
  return draw(`<defs><radialGradient id="g"><stop offset="0" stop-color="#fff" stop-opacity="${clear}"/>
<stop offset=".85" stop-color="#d8c8f0" stop-opacity="${clear * 2}"/><stop offset=".96" stop-color="#a8e0e8" stop-opacity=".6"/>
<stop offset="1" stop-color="#f0c8e0" stop-opacity=".9"/></radialGradient></defs><circle cx="300" cy="300" r="280" fill="url(#g)"/>
<circle cx="300" cy="300" r="276" fill="none" stroke="#fff" stroke-width="8" stroke-opacity=".9"/>
<ellipse cx="190" cy="170" rx="50" ry="26" transform="rotate(-45 190 170)" fill="#fff" fill-opacity=".9"/>
<ellipse cx="420" cy="440" rx="34" ry="14" transform="rotate(-45 420 440)" fill="#fff" fill-opacity=".8"/>`);
}

/** A hoop with a net: threads of two or three pixels, and the ground between them. */
export function netting(random: Random): string {
  const parts: string[] = [];
  const step = 26 + 10 * random();
  for (let at = -600; at < 1200; at += step) {
    parts.push(`<path d="M${at} 0L${at + 600} 600M${at + 600} 0L${at} 600"/>`);
  }
  return draw(`<clipPath id="c"><circle cx="300" cy="240" r="205"/></clipPath>
<g clip-path="url(#c)" stroke="#e8e2cc" stroke-width="${2.2 + random()}">${parts.join('')}</g>
<circle cx="300" cy="240" r="212" fill="none" stroke="#8a2f2a" stroke-width="24"/>
<path d="M300 452V600" stroke="#3a2a20" stroke-width="30"/>`);
}

/** A doily: rings of loops with holes, and a scalloped rim. */
export function lace(random: Random): string {
  const parts: string[] = [];
  for (const [radius, loops] of [
    [60, 10],
    [125, 18],
    [190, 26],
    [250, 34],
  ] as const) {
    const turn = random();
    for (let n = 0; n < loops; n++) {
      const angle = (2 * Math.PI * (n + turn)) / loops;
      const [x, y] = [300 + radius * Math.cos(angle), 300 + radius * Math.sin(angle)];
      parts.push(`<circle cx="${x}" cy="${y}" r="${0.95 * Math.PI * (radius / loops)}"/>`);
    }
    parts.push(`<circle cx="300" cy="300" r="${radius + 30}"/>`);
  }
  return draw(`<g fill="none" stroke="#f4efe6" stroke-width="5">${parts.join('')}</g>
<circle cx="300" cy="300" r="36" fill="#f4efe6"/>`);
}

/** A wheel with thin spokes. */
export function spokes(random: Random): string {
  const count = 24 + 2 * Math.floor(6 * random());
  const parts = Array.from({ length: count }, (_, n) => {
    const angle = (2 * Math.PI * n) / count;
    const skew = angle + (n % 2 ? 0.5 : -0.5);
    return `<path d="M${300 + 26 * Math.cos(skew)} ${300 + 26 * Math.sin(skew)}L${300 + 245 * Math.cos(angle)} ${300 + 245 * Math.sin(angle)}"/>`;
  });
  return draw(`<circle cx="300" cy="300" r="275" fill="none" stroke="#26282c" stroke-width="26"/>
<circle cx="300" cy="300" r="252" fill="none" stroke="#b9bec6" stroke-width="16"/>
<g stroke="#9aa0a8" stroke-width="2.4">${parts.join('')}</g><circle cx="300" cy="300" r="34" fill="#4a4f57"/>`);
}

/** A feather: a quill, and hundreds of barbs that part at its rim. */
export function plume(color: string): (random: Random) => string {
  return (random) => {
    const parts: string[] = [];
    for (let n = 0; n < 700; n++) {
      const t = random();
      const [x, y] = [300 + 40 * Math.sin(3 * t), 60 + 430 * t];
      const side = n % 2 ? 1 : -1;
      const reach = (30 + 110 * Math.sin(Math.PI * Math.min(1, t + 0.08)) ** 0.7) * (0.75 + 0.3 * random());
      parts.push(
        `<path d="M${x} ${y}q${side * reach * 0.5} ${-10} ${side * reach} ${-60 - 30 * random()}" stroke-width="${0.9 + random()}"/>`,
      );
    }
    return draw(`<g fill="none" stroke="${color}">${parts.join('')}</g>
<path d="M300 40C310 200 345 380 330 600" stroke="#efe6d0" stroke-width="7" fill="none"/>`);
  };
}

/** A vase of clear glass with a solid foot and rim. */
export function vase(random: Random): string {
  const clear = 0.18 + 0.14 * random();
  return draw(
    `<path d="M110 30Q150 200 60 330Q20 480 110 560H290Q380 480 340 330Q250 200 290 30Z" fill="#d6ecea" fill-opacity="${clear}"/>
<path d="M110 30Q150 200 60 330Q20 480 110 560H290Q380 480 340 330Q250 200 290 30" fill="none" stroke="#2f6f73" stroke-width="14"/>
<rect x="90" y="548" width="220" height="40" rx="12" fill="#2f6f73"/><ellipse cx="200" cy="30" rx="92" ry="16" fill="none" stroke="#2f6f73" stroke-width="12"/>
<path d="M95 340Q70 430 110 510" stroke="#fff" stroke-opacity=".85" stroke-width="14" fill="none" stroke-linecap="round"/>`,
    400,
  );
}

/** A racket: a solid frame and handle, and strings of two pixels between which the ground shows. */
export function racket(random: Random): string {
  const step = 17 + 6 * random();
  const parts: string[] = [];
  for (let at = 60; at < 540; at += step) parts.push(`<path d="M${at} 0V420M0 ${at - 60}H600"/>`);
  return draw(`<clipPath id="c"><ellipse cx="300" cy="195" rx="150" ry="180"/></clipPath>
<g clip-path="url(#c)" stroke="#f0ecdc" stroke-width="${2.4 + 0.8 * random()}">${parts.join('')}</g>
<ellipse cx="300" cy="195" rx="156" ry="186" fill="none" stroke="#1f4f8f" stroke-width="20"/>
<path d="M238 372Q300 420 300 470Q300 420 362 372" fill="none" stroke="#1f4f8f" stroke-width="16"/>
<rect x="282" y="460" width="36" height="140" rx="10" fill="#2b2320"/>`);
}

/** A thistle: a dense tuft of fine bristles over a round head and a stalk. */
export function thistle(random: Random): string {
  const parts: string[] = [];
  for (let n = 0; n < 520; n++) {
    const angle = -Math.PI * (0.08 + 0.84 * random());
    const [x, y] = [300 + 70 * Math.cos(angle), 300 + 40 * Math.sin(angle)];
    const reach = 110 + 130 * random();
    const light = 90 + Math.floor(70 * random());
    const [ex, ey] = [x + reach * Math.cos(angle) + 14 * normal(random), y + reach * Math.sin(angle)];
    parts.push(
      `<path d="M${x} ${y}L${ex} ${ey}" stroke="rgb(${light + 60},${light - 30},${light + 80})" stroke-width="${0.8 + 0.9 * random()}"/>`,
    );
  }
  return draw(`${parts.join('')}<ellipse cx="300" cy="345" rx="92" ry="82" fill="#5f7a3a"/>
<path d="M300 420C292 480 310 540 300 600" stroke="#4f6a30" stroke-width="16" fill="none"/>`);
}

/** A tassel: a solid knob, and a skirt of threads with gaps between them. */
export function tassel(color: string): (random: Random) => string {
  return (random) => {
    const parts: string[] = [];
    for (let n = 0; n < 240; n++) {
      const at = 2 * random() - 1;
      const [x, ex] = [300 + 60 * at, 300 + 150 * at + 16 * normal(random)];
      parts.push(
        `<path d="M${x} 190Q${x + 10 * at} 330 ${ex} ${520 + 70 * random()}" stroke-width="${1 + 1.4 * random()}"/>`,
      );
    }
    return draw(`<path d="M300 0V110" stroke="#c9a24a" stroke-width="9"/><g fill="none" stroke="${color}">${parts.join('')}</g>
<ellipse cx="300" cy="140" rx="72" ry="62" fill="${color}"/><rect x="228" y="178" width="144" height="20" rx="8" fill="#c9a24a"/>`);
  };
}

/** A light bulb: clear glass with a bright outline, a filament, and a solid cap. */
export function bulb(random: Random): string {
  const clear = 0.12 + 0.14 * random();
  return draw(
    `<path d="M200 10C320 10 385 100 375 200C368 270 290 310 285 400H115C110 310 32 270 25 200C15 100 80 10 200 10Z" fill="#f2ecd8" fill-opacity="${clear}"/>
<path d="M200 10C320 10 385 100 375 200C368 270 290 310 285 400M115 400C110 310 32 270 25 200C15 100 80 10 200 10" fill="none" stroke="#5b646b" stroke-opacity=".9" stroke-width="9"/>
<path d="M165 400L150 240L175 200L200 240L225 200L250 240L235 400" fill="none" stroke="#b5622a" stroke-width="7"/>
<path d="M108 398H292V520Q292 550 250 560V585H150V560Q108 550 108 520Z" fill="#7d8288"/>
<path d="M75 150Q95 75 160 55" stroke="#fff" stroke-opacity=".85" stroke-width="13" stroke-linecap="round" fill="none"/>`,
    400,
  );
}

/** A preserving jar: clear glass above, fruit below, a label and a metal lid. */
export function jar(random: Random): string {
  const clear = 0.16 + 0.14 * random();
  return draw(
    `<path d="M60 90Q30 120 30 170V540Q30 580 70 580H330Q370 580 370 540V170Q370 120 340 90Z" fill="#e4eef0" fill-opacity="${clear}"/>
<path d="M38 330V540Q38 572 70 572H330Q362 572 362 540V330Z" fill="#8f1d2c" fill-opacity=".93"/>
<path d="M60 90Q30 120 30 170V540Q30 580 70 580H330Q370 580 370 540V170Q370 120 340 90" fill="none" stroke="#eef6f8" stroke-opacity=".82" stroke-width="10"/>
<rect x="48" y="20" width="304" height="76" rx="10" fill="#b9a04e"/><rect x="95" y="380" width="210" height="120" rx="6" fill="#f4eedd"/>
<path d="M70 150V310" stroke="#fff" stroke-opacity=".75" stroke-width="14" stroke-linecap="round"/>`,
    400,
  );
}

/** A flask with a tinted liquid below and clear glass above. */
export function flask(random: Random): string {
  const clear = 0.14 + 0.14 * random();
  return draw(
    `<path d="M160 20V210L30 500Q10 570 80 580H320Q390 570 370 500L240 210V20Z" fill="#dcebf2" fill-opacity="${clear}"/>
<path d="M95 360L34 500Q16 566 80 574H320Q384 566 366 500L305 360Z" fill="#2aa08a" fill-opacity=".86"/>
<path d="M160 20V210L30 500Q10 570 80 580H320Q390 570 370 500L240 210V20" fill="none" stroke="#3f565f" stroke-opacity=".9" stroke-width="10"/>
<rect x="140" y="6" width="120" height="24" rx="10" fill="#3f565f"/>
<path d="M182 60V220L120 350" stroke="#fff" stroke-opacity=".7" stroke-width="10" stroke-linecap="round" fill="none"/>`,
    400,
  );
}

/** A seal: rings with teeth, a star and bars; a drawing in one color. */
export function seal(color: string): () => string {
  return () => {
    const points = (count: number, outer: number, inner: number) =>
      Array.from({ length: 2 * count }, (_, n) => {
        const [radius, angle] = [n % 2 ? inner : outer, (Math.PI * n) / count - Math.PI / 2];
        return `${300 + radius * Math.cos(angle)},${300 + radius * Math.sin(angle)}`;
      }).join(' ');
    return draw(`<path fill="${color}" fill-rule="evenodd" d="M${points(48, 290, 270)}ZM300 70a230 230 0 1 1 -.1 0Z"/>
<circle cx="300" cy="300" r="212" fill="none" stroke="${color}" stroke-width="4"/>
<polygon points="${points(5, 150, 62)}" fill="${color}"/><path d="M190 480H410M215 498H385" stroke="${color}" stroke-width="6"/>`);
  };
}

/** A bird cage: thin bars under a dome, two hoops, and a solid floor. */
export function cage(random: Random): string {
  const count = 12 + Math.floor(6 * random());
  const bars = Array.from({ length: count + 1 }, (_, n) => {
    const x = 120 + (360 * n) / count;
    return `<path d="M${x} 520V230Q${x} ${90 + 40 * random()} 300 70"/>`;
  });
  return draw(`<g fill="none" stroke="#c8a85a" stroke-width="${3 + random()}">${bars.join('')}</g>
<g fill="none" stroke="#a9873c" stroke-width="9"><path d="M118 230H482M118 380H482"/><circle cx="300" cy="44" r="26"/></g>
<rect x="104" y="512" width="392" height="52" rx="12" fill="#6b4a2a"/>
<path d="M210 320H390" stroke="#7a5a35" stroke-width="10"/><ellipse cx="300" cy="285" rx="46" ry="36" fill="#d8b33a"/>`);
}

/** A plume of grass: a stalk, and soft strands that hang to one side and part at their tips. */
export function pampas(color: string): (random: Random) => string {
  return (random) => {
    const parts: string[] = [];
    for (let n = 0; n < 620; n++) {
      const t = random();
      const [x, y] = [300 + 30 * t - 60 * t * t, 400 - 360 * t];
      const reach = (50 + 90 * Math.sin(Math.PI * (0.15 + 0.8 * t))) * (0.6 + 0.5 * random());
      const side = random() < 0.45 ? -1 : 1;
      parts.push(
        `<path d="M${x} ${y}q${side * reach * 0.6} -18 ${side * reach} ${30 + 40 * random()}" stroke-width="${0.7 + 0.9 * random()}"/>`,
      );
    }
    return draw(`<path d="M296 600C304 500 300 440 300 380" stroke="#8d8450" stroke-width="9" fill="none"/>
<g fill="none" stroke="${color}">${parts.join('')}</g>`);
  };
}

/** A broom: a handle, a band, and bristles with gaps between their ends. */
export function broom(color: string): (random: Random) => string {
  return (random) => {
    const parts: string[] = [];
    for (let n = 0; n < 260; n++) {
      const at = 2 * random() - 1;
      const [ex, ey] = [300 + 190 * at + 8 * normal(random), 560 + 35 * random()];
      parts.push(
        `<path d="M${300 + 70 * at} 330Q${300 + 120 * at} 430 ${ex} ${ey}" stroke-width="${1.2 + 1.5 * random()}"/>`,
      );
    }
    return draw(`<rect x="288" y="0" width="24" height="290" rx="10" fill="#9a6a3a"/>
<g fill="none" stroke="${color}">${parts.join('')}</g><rect x="222" y="280" width="156" height="62" rx="14" fill="#7a2f2a"/>`);
  };
}

/** A chain of open links that lie across one another. */
export function chain(random: Random): string {
  const links = Array.from({ length: 6 }, (_, n) => {
    const turn = 40 + 20 * random() + (n % 2 ? 70 : 0);
    return `<rect x="-62" y="-36" width="124" height="72" rx="36" transform="translate(${90 + 84 * n} ${120 + 72 * n}) rotate(${turn})"/>`;
  });
  return draw(`<g fill="none" stroke="#4f565e" stroke-width="22">${links.join('')}</g>
<g fill="none" stroke="#aeb6bf" stroke-width="7">${links.join('')}</g>`);
}

/** A pitcher of clear glass with a handle, half full of juice. */
export function pitcher(random: Random): string {
  const clear = 0.15 + 0.14 * random();
  return draw(
    `<path d="M60 40Q95 180 60 330Q40 560 100 570H290Q350 560 330 330Q295 180 330 40Z" fill="#e2edf1" fill-opacity="${clear}"/>
<path d="M60 310Q48 556 104 562H286Q342 556 330 310Z" fill="#d98a1f" fill-opacity=".9"/>
<path d="M334 140Q450 150 440 290Q430 400 340 410" fill="none" stroke="#8fa5ae" stroke-opacity=".92" stroke-width="22"/>
<path d="M60 40Q95 180 60 330Q40 560 100 570H290Q350 560 330 330Q295 180 330 40" fill="none" stroke="#5f7a86" stroke-opacity=".9" stroke-width="9"/>
<ellipse cx="195" cy="40" rx="136" ry="16" fill="none" stroke="#5f7a86" stroke-opacity=".9" stroke-width="8"/>
<path d="M110 90Q128 190 104 290" stroke="#fff" stroke-opacity=".75" stroke-width="12" stroke-linecap="round" fill="none"/>`,
    460,
  );
}

/** An hourglass: two clear bulbs with sand in them, between solid plates and posts. */
export function hourglass(random: Random): string {
  const clear = 0.14 + 0.16 * random();
  return draw(
    `<path d="M80 60Q80 220 190 300Q80 380 80 540H320Q320 380 210 300Q320 220 320 60Z" fill="#dcebea" fill-opacity="${clear}"/>
<path d="M128 190Q150 250 196 292H204Q250 250 272 190Z" fill="#d2a862"/><path d="M92 540Q120 450 200 440Q280 450 308 540Z" fill="#d2a862"/>
<path d="M80 60Q80 220 190 300Q80 380 80 540M320 540Q320 380 210 300Q320 220 320 60" fill="none" stroke="#55707a" stroke-opacity=".9" stroke-width="9"/>
<rect x="30" y="16" width="340" height="46" rx="10" fill="#5b3a22"/><rect x="30" y="538" width="340" height="46" rx="10" fill="#5b3a22"/>
<path d="M48 60V540M352 60V540" stroke="#7a5230" stroke-width="18"/>
<path d="M104 90Q108 190 160 250" stroke="#fff" stroke-opacity=".7" stroke-width="10" stroke-linecap="round" fill="none"/>`,
    400,
  );
}

/** A dome of clear glass over a flower pot, on a solid board. */
export function cloche(random: Random): string {
  const clear = 0.12 + 0.15 * random();
  return draw(
    `<path d="M60 540V270Q60 70 240 70Q420 70 420 270V540Z" fill="#e6f1f4" fill-opacity="${clear}"/>
<path d="M170 540L150 420H330L310 540Z" fill="#b5542f"/><path d="M240 420V250" stroke="#4f7a38" stroke-width="12"/>
<circle cx="240" cy="230" r="58" fill="#c2447a"/><circle cx="240" cy="230" r="20" fill="#e8c040"/>
<path d="M60 540V270Q60 70 240 70Q420 70 420 270V540" fill="none" stroke="#6f8791" stroke-opacity=".9" stroke-width="9"/>
<circle cx="240" cy="44" r="26" fill="#6f8791"/><rect x="20" y="536" width="440" height="48" rx="12" fill="#6b4a2a"/>
<path d="M96 280Q100 150 180 112" stroke="#fff" stroke-opacity=".85" stroke-width="13" stroke-linecap="round" fill="none"/>`,
    480,
  );
}

/** A stoppered tube of clear glass with a liquid below. */
export function tube(random: Random): string {
  const clear = 0.14 + 0.14 * random();
  return draw(
    `<path d="M60 60V480Q60 590 140 590Q220 590 220 480V60Z" fill="#dfeaf0" fill-opacity="${clear}"/>
<path d="M66 300V480Q66 584 140 584Q214 584 214 480V300Z" fill="#6a3fa0" fill-opacity=".88"/>
<path d="M60 60V480Q60 590 140 590Q220 590 220 480V60" fill="none" stroke="#5a6f7c" stroke-opacity=".9" stroke-width="9"/>
<rect x="76" y="6" width="128" height="80" rx="10" fill="#a87945"/><path d="M44 84H236" stroke="#5a6f7c" stroke-opacity=".9" stroke-width="12"/>
<path d="M92 120V470" stroke="#fff" stroke-opacity=".75" stroke-width="11" stroke-linecap="round"/>`,
    280,
  );
}

/** A crest: a shield with a border, bars and a crown; a drawing in one color. */
export function crest(color: string): () => string {
  return () =>
    draw(`<g fill="none" stroke="${color}"><path d="M90 120H510V330Q510 500 300 590Q90 500 90 330Z" stroke-width="14"/>
<path d="M116 146H484V328Q484 480 300 560Q116 480 116 328Z" stroke-width="3"/><path d="M300 146V560M116 330H484" stroke-width="8"/>
<path d="M150 200H270M150 226H270M150 252H270" stroke-width="4"/></g>
<path d="M180 100L160 20L235 62L300 0L365 62L440 20L420 100Z" fill="${color}"/><circle cx="392" cy="240" r="48" fill="${color}"/>
<path d="M392 380L410 424H456L420 452L434 498L392 470L350 498L364 452L328 424H374Z" fill="${color}"/>`);
}

/** A beaker of clear glass with a spout and marks, a third full. */
export function beaker(random: Random): string {
  const clear = 0.13 + 0.15 * random();
  return draw(
    `<path d="M60 40H360L344 80V540Q344 580 304 580H116Q76 580 76 540V80Z" fill="#e3eef0" fill-opacity="${clear}"/>
<path d="M80 400H340V538Q340 574 304 574H116Q80 574 80 538Z" fill="#2f7fb0" fill-opacity=".88"/>
<path d="M60 40H360L344 80V540Q344 580 304 580H116Q76 580 76 540V80Z" fill="none" stroke="#5d7480" stroke-opacity=".9" stroke-width="9"/>
<path d="M230 160H300M250 220H300M230 280H300M250 340H300" stroke="#3b4a52" stroke-width="7"/>
<path d="M108 120V370" stroke="#fff" stroke-opacity=".75" stroke-width="12" stroke-linecap="round"/>`,
    420,
  );
}

/** A bowl of clear glass with water, gravel and a fish. */
export function fishbowl(random: Random): string {
  const clear = 0.12 + 0.12 * random();
  return draw(`<path d="M170 60H430Q560 170 560 320Q560 470 450 560H150Q40 470 40 320Q40 170 170 60Z" fill="#e8f3f6" fill-opacity="${clear}"/>
<path d="M62 230H538Q556 270 556 320Q556 466 448 554H152Q44 466 44 320Q44 270 62 230Z" fill="#4f9fc4" fill-opacity="${0.55 + 0.15 * random()}"/>
<path d="M96 500Q300 455 504 500L448 556H152Z" fill="#a58b62"/><ellipse cx="290" cy="350" rx="86" ry="46" fill="#e0702a"/>
<path d="M370 350L440 305V395Z" fill="#c9541c"/><circle cx="238" cy="338" r="8" fill="#1d1d1d"/>
<path d="M170 60H430Q560 170 560 320Q560 470 450 560H150Q40 470 40 320Q40 170 170 60Z" fill="none" stroke="#6b8692" stroke-opacity=".9" stroke-width="10"/>
<ellipse cx="300" cy="60" rx="134" ry="16" fill="none" stroke="#6b8692" stroke-opacity=".9" stroke-width="9"/>
<path d="M110 190Q150 130 200 105" stroke="#fff" stroke-opacity=".85" stroke-width="14" stroke-linecap="round" fill="none"/>`);
}

/** A duster: a handle, and a round head of soft strands in many lights of one color. */
export function duster(color: string): (random: Random) => string {
  return (random) => {
    const parts: string[] = [];
    for (let n = 0; n < 900; n++) {
      const angle = 2 * Math.PI * random();
      const start = 90 * random();
      const reach = 120 + 70 * random();
      const bend = angle + 0.5 * normal(random);
      const [x, y] = [300 + start * Math.cos(angle), 210 + start * Math.sin(angle)];
      const light = 0.55 + 0.75 * random();
      const shade = [1, 3, 5].map((at) =>
        Math.min(255, Math.round(light * Number.parseInt(color.slice(at, at + 2), 16))),
      );
      parts.push(
        `<path d="M${x} ${y}Q${x + 0.5 * reach * Math.cos(angle)} ${y + 0.5 * reach * Math.sin(angle)} ${300 + reach * Math.cos(bend)} ${210 + reach * Math.sin(bend)}" stroke="rgb(${shade})" stroke-width="${0.8 + 1.3 * random()}"/>`,
      );
    }
    return draw(`<rect x="288" y="300" width="24" height="300" rx="10" fill="#7d5130"/><g fill="none">${parts.join('')}</g>
<circle cx="300" cy="210" r="64" fill="${color}"/>`);
  };
}

/** A trellis: crossed laths in a solid frame, and the ground between them. */
export function trellis(random: Random): string {
  const step = 34 + 12 * random();
  const parts: string[] = [];
  for (let at = -600; at < 600; at += step) parts.push(`<path d="M${at} 0L${at + 600} 600M${at + 600} 0L${at} 600"/>`);
  return draw(`<clipPath id="c"><path d="M90 70H510V540H90Z"/></clipPath>
<g clip-path="url(#c)" stroke="#b08a5c" stroke-width="${5 + 2 * random()}">${parts.join('')}</g>
<path d="M90 70H510V540H90Z" fill="none" stroke="#5a7a4a" stroke-width="22"/><path d="M90 540V600M510 540V600" stroke="#5a7a4a" stroke-width="22"/>`);
}

/** A badge: a gear with a band, rays and letters of bars; a drawing in one color. */
export function badge(color: string): () => string {
  return () => {
    const teeth = Array.from(
      { length: 24 },
      (_, n) => `<rect x="288" y="16" width="24" height="44" transform="rotate(${15 * n} 300 300)"/>`,
    );
    const rays = Array.from(
      { length: 9 },
      (_, n) => `<path d="M300 300L300 150" transform="rotate(${20 * n - 80} 300 300)"/>`,
    );
    return draw(`<g fill="${color}">${teeth.join('')}</g><g fill="none" stroke="${color}">
<circle cx="300" cy="300" r="236" stroke-width="18"/><circle cx="300" cy="300" r="206" stroke-width="3"/>
<g stroke-width="5">${rays.join('')}</g><path d="M120 350H480V430H120Z" stroke-width="9"/>
<path d="M170 412V368L200 398L230 368V412M262 412V368H300V412M262 390H300M334 412V368H372Q390 380 372 390H334M372 390L390 412M420 368V412" stroke-width="7"/></g>
<circle cx="300" cy="300" r="34" fill="${color}"/>`);
  };
}
