import { takeFromWallet } from '~/domain/money/wallet'
import { adjustWallet } from '../../services/wallet/adjusting'
import { defineUserEndpoint } from '../../http/endpointTypes'

/** Debits a user's wallet manually. */
export const take_from_wallet = defineUserEndpoint({
  name: 'take_from_wallet',
  summary:
    "Corrects a wallet (txRef AdminDebit): debits it and keeps the reason in `note`. The balance stays at zero or above. `debit_id` is the client's own push key: repeating it debits nothing more.",
  allow: ['admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: ['no_details_error', 'withdraw_too_much', 'changed_meanwhile'],
  fieldErrors: { uid: 'no_details_error', amount: 'no_details_error' },
  handle: ({ debit_id, ...input }, context) =>
    adjustWallet(
      {
        id: debit_id,
        ...input,
        action: 'wallet_debit',
        suffix: 'correction',
        decide: takeFromWallet,
      },
      context,
    ),
})
