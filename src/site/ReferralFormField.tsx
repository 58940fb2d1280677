import { type FieldValues, useController } from 'react-hook-form'
import { ReferralField } from '~/src/features/referral/ReferralField'
import { toText } from '~/src/ui/forms/fields'
import type { FieldBinding, FieldName } from '~/src/ui/forms/useSchemaForm'

/** Binds the field of a referral code to a form. */
export const ReferralFormField = <
  Values extends FieldValues,
  Name extends FieldName<Values, string | undefined>,
>({
  control,
  name,
}: FieldBinding<Values, Name>) => {
  const { field, fieldState } = useController({ control, name })
  return (
    <ReferralField
      value={toText(field.value)}
      refused={fieldState.invalid}
      onChange={field.onChange}
    />
  )
}
