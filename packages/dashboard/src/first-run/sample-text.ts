/** A text for users who want to see an answer before they add their own texts. */
export const sampleText = {
  name: "The Brindlemoor Observatory",
  /** Answering it takes two sentences of the text; neither is enough alone. */
  question: "Where was the founder of the Brindlemoor Observatory born?",
  text: `The Brindlemoor Observatory

The Brindlemoor Observatory stands on Harrow Ridge, 640 metres above the sea. It was founded in 1893 by the astronomer Agnes Thorley, who paid for the first telescope with the royalties of her star atlas. Its great refractor, built by Calder & Voss in Leeds, saw first light on 14 March 1896.

Agnes Thorley

Agnes Thorley was born in Whitby in 1851. She worked as a computer at the Royal Almanac Office for eleven years before she left for Harrow Ridge. In 1901 she discovered the comet that bears her name. Her assistant, Samuel Okoro, became the second director of the Brindlemoor Observatory in 1912.

Visiting

The dome is open to visitors on Friday evenings from October to March. Groups of more than eight people book two weeks ahead. The observatory's library keeps Thorley's notebooks, which readers may see on request.
`,
} as const;
