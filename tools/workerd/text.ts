/** Text in a configuration: JSON escapes quotes, backslashes and line ends as Cap'n Proto does. */
export const text = (value: string): string => JSON.stringify(value)
