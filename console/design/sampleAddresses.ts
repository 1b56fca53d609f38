export const sampleAddresses = ['11', '5a', 'c4', 'f3', '9d'].map((byte) => `0x${byte.repeat(20)}`)
