/** The story of one job, from the screenshot to the tumblers. The figures are those of the picture in the hero. */
import trace from './pictures/trace.json';

const story = [
  [
    'Tuesday, 4:40 pm',
    `The text message: “Can you do 24 of these by Friday?” Under it a logo, ${trace.width} pixels wide, saved from a website.`,
  ],
  [
    '4:42 pm',
    `Dropped on the studio. ${trace.pathCount} closed paths, ${trace.nodeCount} nodes, the lettering straightened out of the JPEG.`,
  ],
  [
    '4:47 pm',
    'Set on the matte black tumbler, 46 mm wide, centered with one press. The studio finds no line too thin to burn.',
  ],
  ['4:50 pm', 'The mockup goes back as a picture. The answer: “That’s it. Exactly that.”'],
  [
    'Thursday, 7:15 am',
    'The file opens in LightBurn at 46.0 mm. Engrave is one layer, the center is the center. First tumbler on the rotary by 7:20.',
  ],
] as const;

export function MakerStory() {
  return (
    <section aria-labelledby="maker-story" className="border-line border-y bg-paper">
      <div className="mx-auto grid max-w-[1360px] gap-x-20 gap-y-10 px-5 py-16 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:px-10 lg:py-24">
        <div>
          <p className="caption font-medium text-accent">A maker’s story</p>
          <h2 id="maker-story" className="mt-3 text-2xl">
            Twenty-four tumblers by Friday
          </h2>
          <p className="mt-4 max-w-[46ch] text-graphite text-lg">
            An ordinary order, told by the clock. The redrawing that used to take the evening is the ten minutes in the
            middle.
          </p>
        </div>
        <ol>
          {story.map(([when, what]) => (
            <li
              key={when}
              className="grid gap-x-8 gap-y-1 border-line border-t py-4 last:border-b sm:grid-cols-[150px_minmax(0,1fr)]"
            >
              <span className="measure pt-1 text-graphite">{when}</span>
              <p className="text-lg">{what}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
