// Registers an affiliate code for the account, by signature. Orders then name it: REFERRER=… node examples/trade.ts
//     node examples/affiliate.ts FRIENDS
import { account, request } from './client.ts'

const [code = 'FRIENDS'] = process.argv.slice(2)
const walletAddress = account.address.toLowerCase()
const typed = await request('/affiliate/typed-data')
const message = { ...typed.message, walletAddress, code }
const signedMessage = await account.signTypedData({ ...typed, message })
await request(`/affiliate/${walletAddress}`, { walletAddress, code, signedMessage })
console.log('registered', (await request(`/affiliate/${walletAddress}`)).code)
