/** The menu primitive, with the keys and roles of the ARIA menu pattern. An entry of its own, so that it loads late. */
export { DropdownMenu } from 'radix-ui';
