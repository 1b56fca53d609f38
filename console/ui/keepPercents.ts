/** A text in which no line ends between a number and its percent sign. */
export const keepPercents = (text: string): string => text.replaceAll(' %', '\u00a0%')
