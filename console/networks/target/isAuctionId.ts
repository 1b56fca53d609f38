/** Longest auction id. More digits are a hash without its 0x; numbers with fewer digits are exact. */
const auctionIdPattern = /^\d{1,15}$/

/** Returns true for the decimal id of an auction. */
export const isAuctionId = (text: string): boolean => auctionIdPattern.test(text)
