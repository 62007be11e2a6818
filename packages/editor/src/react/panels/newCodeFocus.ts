/** The code that was just added: its data is what a person types next, in whichever panel its fields are. */
let newCodeId: string | undefined;

export const setNewCode = (id: string): void => {
  newCodeId = id;
};

/** True once for the code that was added last. */
export function takeNewCode(id: string): boolean {
  const isNew = id === newCodeId;
  if (isNew) newCodeId = undefined;
  return isNew;
}
