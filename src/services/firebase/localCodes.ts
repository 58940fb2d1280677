import { isLocalLoginCode } from '~/domain/accounts/userAccounts'

/**
 * Sends a code and returns its verification id. The Auth emulator draws six random digits: in local
 * mode, where `readCode` returns them, sends again until the page accepts the code.
 */
export const sendPossibleCode = async (
  send: () => Promise<string>,
  readCode: () => Promise<string | null>,
): Promise<string> => {
  for (;;) {
    const verificationId = await send()
    const code = await readCode()
    if (code === null || isLocalLoginCode(code)) return verificationId
  }
}
