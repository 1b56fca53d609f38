// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20Permit, ERC20} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// A token with approvals by signature (EIP-2612) and public minting.
contract PermitToken is ERC20Permit {
    constructor() ERC20("Permit Token", "PERMIT") ERC20Permit("Permit Token") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
