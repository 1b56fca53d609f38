// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Takes a hundredth of every transfer, as some tokens do.
contract FeeToken is ERC20 {
    constructor() ERC20("Fee Token", "FEE") {
        _mint(msg.sender, 1_000_000 ether);
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        super._transfer(from, to, amount - amount / 100);
        _burn(from, amount / 100);
    }
}
