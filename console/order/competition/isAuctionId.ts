/** More digits than these are no auction id but a number that lost its 0x; every number of so many digits is exact. */
const auctionIdPattern = /^\d{1,15}$/

/** Whether a text is the number of an auction. */
export const isAuctionId = (text: string): boolean => auctionIdPattern.test(text)
