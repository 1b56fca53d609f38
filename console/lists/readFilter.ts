const address = /^0x[0-9a-fA-F]{40}$/

/** The choice that the address of the page names, if it is one. */
export const readChoice = <Name extends string>(
  choices: Record<Name, string>,
  given: string | undefined,
): Name | undefined => (given !== undefined && Object.hasOwn(choices, given) ? (given as Name) : undefined)

/** The token that the address of the page names, if it is one. */
export const readToken = (given: string | undefined): string | undefined =>
  given !== undefined && address.test(given) ? given.toLowerCase() : undefined
