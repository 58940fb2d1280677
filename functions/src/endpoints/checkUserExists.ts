import { checkUserExists } from '~/domain/api'
import { forAnyone } from '../definition'
import { usersWith } from '../profiles'
import { refuse } from '../refused'

/** Tells whether somebody has this phone number or e-mail, and nothing else about him. */
export const check_user_exists = forAnyone({
  name: 'check_user_exists',
  summary: 'Whether a user with this e-mail or mobile exists: one empty object for each, no more.',
  input: checkUserExists,
  allow: ['anyone'],
  limit: 60,
  answers: '{users: [{}…], error: null}',
  refuses: [],
  async handle({ email, mobile }, { db }) {
    if (!email && !mobile) refuse('bad_input', 'mobile')
    const found = await usersWith(db, { email, mobile })
    return { users: found.map(() => ({})), error: null }
  },
})
