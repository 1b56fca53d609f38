// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Takes a share of every transfer that anyone may change, in hundredths.
contract FickleToken is ERC20 {
    uint256 public fee = 99;

    constructor() ERC20("Fickle Token", "FICKLE") {
        _mint(msg.sender, 1_000_000 ether);
    }

    function setFee(uint256 newFee) external {
        fee = newFee;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 taken = amount * fee / 100;
        super._transfer(from, to, amount - taken);
        if (taken > 0) _burn(from, taken);
    }
}
